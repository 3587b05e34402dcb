/** A metric by day, a line for each of the greatest rows of the table. */
import { useMemo } from 'react';
import { useReport } from '../../api/queries';
import { TimeChart } from '../../components/chart/TimeChart';
import { ErrorBox } from '../../components/ErrorBox';
import { Panel } from '../../components/Panel';
import { listDays, type Period } from '../../period';
import type { Filter } from '../../search';
import { useProject } from '../../session';
import { dimensionText, metricText } from '../../texts';
import type { WebRow } from './columns';
import { curveQuestion, isOfSession, type Model, type Tab } from './questions';
import { web as text } from '../../texts/web';

interface Props {
  readonly period: Period;
  readonly filters: Filter[] | undefined;
  readonly tab: Tab;
  readonly model: Model;
  readonly metric: string;
  /** Those that are drawn; undefined while they load. */
  readonly rows: readonly WebRow[] | undefined;
}

export function Curve({ period, filters, tab, model, metric, rows }: Props) {
  const question = curveQuestion(
    { period, filters },
    tab,
    model,
    metric,
    rows?.map(({ id }) => id),
  );
  const { data, error, isPending, isPlaceholderData, refetch } = useReport(useProject().id, question);
  const { label, kind } = metricText(metric);
  const labels = useMemo(() => listDays(period), [period]);
  const series = useMemo(() => {
    const values = new Map(data?.results.map((row) => [row.dimensions.join('\n'), row.metrics[0] ?? null]));
    // A day without a row had nothing: that is zero of what can be counted, and no value of a ratio.
    const nothing = kind === 'count' || kind === 'money' ? 0 : null;
    return (rows ?? []).map(({ id, name }) => ({
      name,
      values: labels.map((day) => values.get(`${day}\n${id}`) ?? nothing),
    }));
  }, [data, rows, labels, kind]);
  return (
    <Panel
      title={text.curve(label, text.tabs[tab])}
      question={question}
      about={isOfSession(tab) ? undefined : text.curveAbout[model]}
    >
      {error ? (
        <ErrorBox error={error} onRetry={() => void refetch()} />
      ) : (
        <TimeChart
          title={text.curve(label, text.tabs[tab])}
          kind={kind}
          labels={labels}
          labelName={dimensionText('day')}
          series={series}
          height={240}
          loading={isPending}
          stale={isPlaceholderData}
        />
      )}
    </Panel>
  );
}
