/** The alerts of a project: how each is, and a form to make one. */
import { Anchor, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { toPage } from '../../addresses';
import { alertsQuery, type Alert } from '../../api/alerts';
import { receiverColumn } from '../../components/receivers/ReceiverList';
import { SentPage } from '../../components/receivers/SentPage';
import { Secret } from '../../components/Secret';
import type { Column } from '../../components/table-columns';
import { Time } from '../../components/Values';
import type { Formats } from '../../format';
import { useView } from '../../search';
import { useFormats, useMay, useProject } from '../../session';
import { alerts as text, receivers } from '../../texts/alerts';
import { texts } from '../../texts';
import { AlertForm } from './AlertForm';
import { alertsSearch } from './search';
import { State } from './State';
import { describeAlert } from './words';

export default function Alerts() {
  const { id } = useProject();
  const mayChange = useMay('boards');
  const [{ edit }, setView] = useView(alertsSearch);
  const [secrets, setSecrets] = useState<string[]>([]);
  const list = useQuery(alertsQuery(id));
  const rows = list.data?.alerts;
  const edited = rows?.find((one) => String(one.id) === edit);
  return (
    <SentPage
      title={texts.titles.alerts}
      text={text}
      list={list}
      rows={rows}
      columns={buildColumns(id, useFormats())}
      onCreate={() => setView({ edit: 'new' })}
      notices={secrets.map((secret) => (
        <Secret key={secret} title={receivers.secret} value={secret} onClose={() => setSecrets([])} />
      ))}
    >
      {mayChange && rows && (edit === 'new' || edited) && (
        <AlertForm alert={edited} onSecrets={setSecrets} onClose={() => setView({ edit: undefined })} />
      )}
    </SentPage>
  );
}

const buildColumns = (projectId: number, formats: Formats): Column<Alert>[] => [
  {
    id: 'name',
    header: texts.name,
    value: ({ name }) => name,
    cell: ({ id, name }) => (
      <Anchor component={Link} {...toPage('/projects/$projectId/alerts/$alertId', { projectId, alertId: id })}>
        {name}
      </Anchor>
    ),
  },
  {
    id: 'state',
    header: text.columns.state,
    value: ({ state }) => text.states[state.state],
    cell: ({ state }) => (
      <Stack gap={0} align="flex-start">
        <State state={state} />
        <Text size="xs" c="dimmed" truncate maw={220}>
          {state.firing
            .map(({ label }) => label)
            .filter(Boolean)
            .join(', ')}
        </Text>
      </Stack>
    ),
  },
  {
    id: 'condition',
    header: text.columns.condition,
    value: (alert) => describeAlert(alert, formats),
    cell: (alert) => <Text size="sm">{describeAlert(alert, formats)}</Text>,
  },
  {
    id: 'judged',
    header: text.columns.judged,
    value: ({ state }) => state.judged_at,
    cell: ({ state }) => <Time value={state.judged_at} />,
  },
  receiverColumn(text.columns.receivers),
];
