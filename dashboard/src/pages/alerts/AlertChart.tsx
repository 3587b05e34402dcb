/** The figure of an alert by day, for each value that has fired, beside the limit that it is held against. */
import type { Alert } from '../../api/alerts';
import { useReport } from '../../api/queries';
import { TimeChart, type Series } from '../../components/chart/TimeChart';
import { ErrorBox } from '../../components/ErrorBox';
import { Panel } from '../../components/Panel';
import { listDays, todayIn } from '../../period';
import { useFormats, useProject } from '../../session';
import { metricText } from '../../texts';
import { alerts as text } from '../../texts/alerts';
import dayjs from 'dayjs';

const DAYS = 60;
/** Lines that can be told apart. */
const LINES = 5;

export function AlertChart({ alert }: { alert: Alert }) {
  const { id } = useProject();
  const { timezone } = useFormats();
  const { question, condition, state } = alert;
  const [metric = ''] = question?.metrics ?? [];
  const [dimension] = question?.dimensions ?? [];
  const values = state.firing.slice(0, LINES).map(({ value }) => value);
  const isByValue = dimension !== undefined && values.length > 0;
  const to = dayjs(todayIn(timezone)).subtract(1, 'day').format('YYYY-MM-DD');
  const from = dayjs(to)
    .subtract(DAYS - 1, 'day')
    .format('YYYY-MM-DD');
  const asked = question && {
    source: question.source,
    ...(question.view ? { view: question.view } : {}),
    ...(question.model ? { model: question.model } : {}),
    metrics: [metric],
    dimensions: isByValue ? ['day', dimension] : ['day'],
    filters: [...(question.filters ?? []), ...(isByValue ? [['is', dimension, values]] : [])],
    from,
    to,
    limit: 1000,
    include: (question.include ?? ['organic']).filter((one) => one === 'organic'),
  };
  const { data, error, isPending, refetch } = useReport(id, asked);
  const days = listDays({ from, to });
  const { kind, label } = metricText(metric);
  const names = isByValue ? values : [''];
  const series: Series[] = names.map((value) => {
    const rows = (data?.results ?? []).filter((row) => !isByValue || row.dimensions[1] === value);
    const byDay = new Map(rows.map((row) => [row.dimensions[0], row.metrics[0] ?? null]));
    const name = isByValue ? (rows[0]?.labels[1] ?? value) : label;
    const missing = kind === 'count' || kind === 'money' ? 0 : null;
    return { name, values: days.map((day) => byDay.get(day) ?? missing) };
  });
  // A limit on a longer range says nothing of single days.
  const isDaily = question?.range === 'yesterday' || question?.range === 'today';
  const limit: Series[] =
    condition.type === 'threshold' && isDaily ? [{ name: text.limit, values: days.map(() => condition.value) }] : [];
  return (
    <Panel title={text.chart} question={asked}>
      {error ? (
        <ErrorBox error={error} onRetry={() => void refetch()} />
      ) : (
        <TimeChart
          title={text.chart}
          kind={kind}
          labels={days}
          series={[...series, ...limit]}
          loading={isPending}
          labelName={text.day}
          height={240}
        />
      )}
    </Panel>
  );
}
