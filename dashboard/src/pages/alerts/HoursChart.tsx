/** What an alert on receipts waits for, by hour of the last seven days: what was received, or refused and why. */
import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { toPage } from '../../addresses';
import { hoursQuery, type Alert, type AlertHours, type Condition } from '../../api/alerts';
import type { Dated, PlacedNotes } from '../../components/chart/notes';
import { TimeChart, type Series } from '../../components/chart/TimeChart';
import { ErrorBox } from '../../components/ErrorBox';
import { Panel } from '../../components/Panel';
import { hourBucket, hourIn, todayIn } from '../../period';
import { useFormats, useProject } from '../../session';
import { alerts as text } from '../../texts/alerts';
import { refusalText } from '../../texts/refusals';
import { nameSubject } from './words';

const HOUR_MS = 3_600_000;
const HOURS = 7 * 24 + 1;

type ReceiptCondition = Extract<Condition, { type: 'nothing_received' | 'refusals_doubled' }>;

interface Props {
  readonly alert: Alert;
  readonly condition: ReceiptCondition;
  /** `day` is the instant. */
  readonly marks: readonly Dated[];
}

const listHours = ({ from }: AlertHours): Date[] =>
  Array.from({ length: HOURS }, (_, at) => new Date(Date.parse(from) + at * HOUR_MS));

/** A line for each value; an hour that is not in the answer had nothing. */
function readSeries({ hours }: AlertHours, all: readonly Date[], nameValue: (value: string) => string) {
  return [...new Set(hours.map(({ value }) => value))].map((value): Series => {
    const amounts = new Map(hours.filter((one) => one.value === value).map(({ hour, amount }) => [hour, amount]));
    return { name: nameValue(value), values: all.map((hour) => amounts.get(hour.toISOString()) ?? 0) };
  });
}

function placeMarks(marks: readonly Dated[], [first, ...more]: readonly Date[]): PlacedNotes {
  const placed = new Map<number, string[]>();
  for (const { day, text: said } of marks) {
    const at = Math.floor((Date.parse(day) - (first?.getTime() ?? Infinity)) / HOUR_MS);
    if (at >= 0 && at <= more.length) placed.set(at, [...(placed.get(at) ?? []), said]);
  }
  return placed;
}

export function HoursChart({ alert, condition, marks }: Props) {
  const { id } = useProject();
  const { axis, timezone } = useFormats();
  const { data, error, isPending, refetch } = useQuery(hoursQuery(id, alert.id));
  const subject = nameSubject(alert);
  const hours = data ? listHours(data) : [];
  const series = data ? readSeries(data, hours, (value) => (value === '' ? subject : refusalText(value).label)) : [];
  const partner = condition.partner_id;
  return (
    <Panel
      title={text.byHour[condition.type]}
      about={text.byHourAbout[condition.type]}
      tools={
        partner !== undefined && (
          <Anchor
            component={Link}
            {...toPage('/projects/$projectId/partners/$partnerId', { projectId: id, partnerId: partner })}
            size="sm"
          >
            {text.toPartner}
          </Anchor>
        )
      }
    >
      {error ? (
        <ErrorBox error={error} onRetry={() => void refetch()} />
      ) : (
        <TimeChart
          title={text.byHour[condition.type]}
          kind="count"
          shape="stacked"
          labels={hours.map((hour) => hourBucket(todayIn(timezone, hour), hourIn(timezone, hour)))}
          formatLabel={axis}
          series={series}
          notes={placeMarks(marks, hours)}
          emptyText={text.noHours[condition.type]}
          loading={isPending}
          labelName={text.hour}
          height={240}
        />
      )}
    </Panel>
  );
}
