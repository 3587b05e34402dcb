/** The figure of an alert by day, for each value that has fired, beside the limit that it is held against. */
import dayjs from 'dayjs';
import type { Alert } from '../../api/alerts';
import { useReport, type Question } from '../../api/queries';
import { placeNotes, type Dated } from '../../components/chart/notes';
import { TimeChart, type Series } from '../../components/chart/TimeChart';
import { ErrorBox } from '../../components/ErrorBox';
import { Panel } from '../../components/Panel';
import { useExplore } from '../../components/use-lead-on';
import { listDays, todayIn } from '../../period';
import type { Filter } from '../../search';
import { useFormats, useProject } from '../../session';
import { metricText } from '../../texts';
import { alerts as text } from '../../texts/alerts';
import { notes } from '../../texts/notes';

const DAYS = 60;
/** Lines that can be told apart. */
const LINES = 5;

type Asked = NonNullable<Alert['question']>;

/** The filters of the question, and only the values that fire. */
const filterFiring = ({ filters = [], dimensions = [] }: Asked, values: readonly string[]): Filter[] => [
  ...(filters as Filter[]),
  ...(values.length > 0 ? [['is', dimensions[0] as string, [...values]] as Filter] : []),
];

interface Props {
  readonly alert: Alert;
  readonly asked: Asked;
  readonly marks: readonly Dated[];
}

export function FigureChart({ alert: { condition, state }, asked, marks }: Props) {
  const { id } = useProject();
  const formats = useFormats();
  const explore = useExplore();
  const [metric = ''] = asked.metrics;
  const [dimension] = asked.dimensions ?? [];
  const values = dimension === undefined ? [] : state.firing.slice(0, LINES).map(({ value }) => value);
  const to = dayjs(todayIn(formats.timezone)).subtract(1, 'day').format('YYYY-MM-DD');
  const from = dayjs(to)
    .subtract(DAYS - 1, 'day')
    .format('YYYY-MM-DD');
  const filters = filterFiring(asked, values);
  const common = {
    source: asked.source,
    ...(asked.view && { view: asked.view }),
    ...(asked.model && { model: asked.model }),
    metrics: [metric],
  };
  const include = (asked.include ?? ['organic']).filter((one) => one === 'organic');
  const question: Question = {
    ...common,
    dimensions: values.length > 0 ? ['day', dimension as string] : ['day'],
    filters: filters.map((filter) => [...filter]),
    from,
    to,
    limit: 1000,
    include,
  };
  const { data, error, isPending, refetch } = useReport(id, question);
  const days = listDays({ from, to });
  const { kind, label } = metricText(metric);
  const missing = kind === 'count' || kind === 'money' ? 0 : null;
  const series = (values.length > 0 ? values : [undefined]).map((value): Series => {
    const rows = (data?.results ?? []).filter((row) => value === undefined || row.dimensions[1] === value);
    const byDay = new Map(rows.map((row) => [row.dimensions[0], row.metrics[0] ?? null]));
    const name = value === undefined ? label : (rows[0]?.labels[1] ?? value);
    return { name, values: days.map((day) => byDay.get(day) ?? missing) };
  });
  // A limit on a longer range says nothing of single days.
  const isDaily = asked.range === 'yesterday' || asked.range === 'today';
  const limit: Series[] =
    condition.type === 'threshold' && isDaily ? [{ name: text.limit, values: days.map(() => condition.value) }] : [];
  const choose = (at: number) => {
    const day = days[at];
    if (day === undefined) return [];
    const view = {
      ...common,
      ...(asked.source === 'app' && include.length === 0 && { paid: true }),
      by: dimension === undefined ? [] : [dimension],
      filters,
      days: { from: day, to: day },
    };
    return [{ label: notes.explore(formats.shortDay(day)), run: () => explore(view) }];
  };
  return (
    <Panel title={text.chart} question={question}>
      {error ? (
        <ErrorBox error={error} onRetry={() => void refetch()} />
      ) : (
        <TimeChart
          title={text.chart}
          kind={kind}
          labels={days}
          series={[...series, ...limit]}
          notes={placeNotes(marks, days, 'day')}
          actions={choose}
          loading={isPending}
          labelName={text.day}
          height={240}
        />
      )}
    </Panel>
  );
}
