/** What an alert looks at, over time, with a mark where it fired and where it was over. */
import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { toPage } from '../../addresses';
import { eventsQuery, type Alert } from '../../api/alerts';
import type { Dated } from '../../components/chart/notes';
import { Panel } from '../../components/Panel';
import { useProject } from '../../session';
import { alerts as text } from '../../texts/alerts';
import { FigureChart } from './FigureChart';
import { HoursChart } from './HoursChart';

export function AlertChart({ alert }: { alert: Alert }) {
  const { id } = useProject();
  const { condition, question, saved } = alert;
  const events = useQuery(eventsQuery(id, alert.id, undefined)).data?.events ?? [];
  const mark = (day: (event: (typeof events)[number]) => string): Dated[] =>
    events.map((event) => ({ day: day(event), text: `${text.eventKinds[event.kind]}: ${event.why[0] ?? ''}` }));
  if (condition.type === 'nothing_received' || condition.type === 'refusals_doubled')
    return <HoursChart alert={alert} condition={condition} marks={mark(({ at }) => at)} />;
  if (condition.type === 'export_late')
    return (
      <Panel title={text.exportsChart} about={text.exportsAbout}>
        <Anchor component={Link} {...toPage('/projects/$projectId/exports', { projectId: id })} size="sm">
          {text.toExports}
        </Anchor>
      </Panel>
    );
  const asked = question ?? saved?.question;
  // Days that were judged, not those on which that was done.
  return asked && <FigureChart alert={alert} asked={asked} marks={mark(({ details }) => details.range.to)} />;
}
