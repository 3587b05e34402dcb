/** A metric over time, a line for each of the greatest rows of the table. */
import { useMemo } from 'react';
import { useReport } from '../../api/queries';
import { TimeChart } from '../../components/chart/TimeChart';
import { ErrorBox } from '../../components/ErrorBox';
import { Notes } from '../../components/Notes';
import { Panel } from '../../components/Panel';
import { useChartNotes } from '../../components/use-chart-notes';
import { useBucketNames } from '../../components/MetricCurve';
import { hourIn, listBuckets, todayIn, type Period } from '../../period';
import type { Filter } from '../../search';
import { findOpen } from '../../series';
import { useFormats, useProject } from '../../session';
import { dimensionText, metricText, texts } from '../../texts';
import type { WebRow } from './columns';
import { curveQuestion, isOfSession, type Model, type Tab } from './questions';
import { notes as notesText } from '../../texts/notes';
import { web as text } from '../../texts/web';

interface Props {
  readonly period: Period;
  readonly filters: Filter[] | undefined;
  readonly tab: Tab;
  readonly model: Model;
  readonly metric: string;
  /** Those that are drawn; undefined while they load. */
  readonly rows: readonly WebRow[] | undefined;
  /** Called with a row whose line is chosen. */
  readonly onFilter: (value: string) => void;
}

export function Curve({ period, filters, tab, model, metric, rows, onFilter }: Props) {
  const question = curveQuestion(
    { period, filters },
    tab,
    model,
    metric,
    rows?.map(({ id }) => id),
  );
  const { data, error, isPending, isPlaceholderData, refetch } = useReport(useProject().id, question);
  const { label, kind } = metricText(metric);
  const { granularity, isOpen } = period;
  const { timezone } = useFormats();
  const labels = useMemo(() => listBuckets(period, granularity), [period, granularity]);
  const now = { today: todayIn(timezone), hour: hourIn(timezone) };
  const openFrom = isOpen ? findOpen(labels, granularity, now) : undefined;
  const { formatLabel, formatPoint } = useBucketNames(period);
  const { placed, actions, list } = useChartNotes(period, granularity, labels);
  const choose = (at: number, pressed: string) => {
    const row = rows?.find(({ name }) => name === pressed);
    return [...(row ? [{ label: notesText.only(row.name), run: () => onFilter(row.id) }] : []), ...actions(at)];
  };
  const series = useMemo(() => {
    const values = new Map(data?.results.map((row) => [row.dimensions.join('\n'), row.metrics[0] ?? null]));
    // A day without a row had nothing: that is zero of what can be counted, and no value of a ratio.
    const nothing = kind === 'count' || kind === 'money' ? 0 : null;
    return (rows ?? []).map(({ id, name }) => ({
      name,
      entity: id,
      values: labels.map((bucket, at) =>
        openFrom !== undefined && at > openFrom ? null : (values.get(`${bucket}\n${id}`) ?? nothing),
      ),
    }));
  }, [data, rows, labels, kind, openFrom]);
  return (
    <Panel
      title={text.curve(label, text.tabs[tab], texts.period.by[granularity])}
      question={question}
      about={isOfSession(tab) ? undefined : text.curveAbout[model]}
    >
      {error ? (
        <ErrorBox error={error} onRetry={() => void refetch()} />
      ) : (
        <TimeChart
          title={text.curve(label, text.tabs[tab], texts.period.by[granularity])}
          kind={kind}
          labels={labels}
          formatLabel={formatLabel}
          formatPoint={formatPoint}
          openFrom={openFrom}
          notes={placed}
          actions={choose}
          labelName={dimensionText(granularity)}
          series={series}
          height={240}
          loading={isPending}
          stale={isPlaceholderData}
        />
      )}
      <Notes {...list} />
    </Panel>
  );
}
