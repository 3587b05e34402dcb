/** A metric over time, beside the same metric of the range that it is compared with. */
import { useCallback, useMemo } from 'react';
import { describeComparison } from '../compared';
import { isHourly } from '../figures';
import { bucketRange, todayIn, type Period } from '../period';
import { readPoints, type useSeries } from '../series';
import { useFormats } from '../session';
import { dimensionText, metricText, texts } from '../texts';
import { TimeChart } from './chart/TimeChart';
import { ErrorBox } from './ErrorBox';
import { Notes } from './Notes';
import { Panel } from './Panel';
import { useChartNotes } from './use-chart-notes';

interface Props {
  readonly source: 'app' | 'web';
  readonly period: Period;
  readonly metric: string;
  readonly series: ReturnType<typeof useSeries>;
  readonly height?: number;
}

export function MetricCurve({ source, period, metric, series: asked, height }: Props) {
  const formats = useFormats();
  const { questions, answers, curve, hour } = asked;
  const { granularity } = questions;
  const { label, kind } = metricText(metric);
  const points = useMemo(
    () => readPoints(metric, period, granularity, answers, { today: todayIn(formats.timezone), hour }),
    [metric, period, granularity, answers, formats.timezone, hour],
  );
  const { formatLabel, formatPoint } = useBucketNames({ ...period, granularity });
  const compared = useMemo(() => {
    const about = describeComparison(period, formats);
    return about && { ...about, labels: points.earlierLabels ?? [] };
  }, [period, formats, points.earlierLabels]);
  const { values, before } = points;
  const { placed, actions, list } = useChartNotes(period, granularity, points.labels);
  const series = useMemo(() => [{ name: label, values, ...(before && { before }) }], [label, values, before]);
  return (
    <Panel title={`${label} ${texts.period.by[granularity]}`} question={questions.curve}>
      {asked.error ? (
        <ErrorBox error={asked.error} onRetry={asked.refetch} />
      ) : (
        <TimeChart
          title={label}
          kind={kind}
          labels={points.labels}
          formatLabel={formatLabel}
          formatPoint={formatPoint}
          labelName={dimensionText(granularity)}
          series={series}
          compared={compared}
          openFrom={points.openFrom}
          notes={placed}
          actions={actions}
          loading={curve.isPending}
          stale={asked.isStale}
          {...(height !== undefined && { height })}
          {...(granularity === 'hour' && !isHourly(source, metric) && { emptyText: texts.tools.chart.noHours })}
        />
      )}
      <Notes {...list} />
    </Panel>
  );
}

/** What the buckets of a period, and of the one before it, are called on the axis, and where there is room. */
export function useBucketNames(period: Pick<Period, 'granularity' | 'from' | 'to' | 'earlier' | 'days'>) {
  const formats = useFormats();
  const { granularity, from, to, earlier, days } = period;
  const formatLabel = useCallback(
    (bucket: string) => formats.axis(bucket, { withYear: from.slice(0, 4) !== to.slice(0, 4), withDay: days > 1 }),
    [formats, from, to, days],
  );
  const formatPoint = useCallback(
    (bucket: string) => {
      if (granularity === 'hour') return formats.axis(bucket);
      if (granularity === 'month') return formats.axis(bucket, { withYear: true });
      const isEarlier = earlier !== undefined && (bucket < from || bucket > to) && granularity === 'day';
      const range = isEarlier ? earlier : findRange(bucket, { from, to }, earlier);
      const part = bucketRange(bucket, granularity, range);
      return formats.range(part.from, part.to);
    },
    [formats, granularity, from, to, earlier],
  );
  return { formatLabel, formatPoint };
}

type Days = Pick<Period, 'from' | 'to'>;
/** The range that a week belongs to: it may begin before it. */
const findRange = (week: string, now: Days, earlier: Days | undefined): Days =>
  earlier !== undefined && week <= earlier.to && earlier.to < now.from ? earlier : now;
