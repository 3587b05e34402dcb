/** What the chart of the question draws, and what a press on it leads to. */
import type { UseQueryResult } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useReport, type Report } from '../../api/queries';
import { drawOverTime, drawRows, type Drawing } from '../../components/chart/answers';
import { chooseAxes } from '../../components/chart/axes';
import { useBucketNames } from '../../components/MetricCurve';
import { useChartNotes } from '../../components/use-chart-notes';
import { describeComparison } from '../../compared';
import { filterTo } from '../../drill';
import { bucketRange, hourIn, listBuckets, todayIn, type Period } from '../../period';
import { findOpen } from '../../series';
import { useFormats, useProject } from '../../session';
import { dimensionText, metricText, texts } from '../../texts';
import { explore as text } from '../../texts/explore';
import {
  chooseGrain,
  chooseLines,
  curveQuestion,
  lineDimension,
  readDimensions,
  readMetric,
  readMetrics,
  type Grain,
  type View,
} from './questions';

export interface Asked {
  readonly view: View;
  readonly period: Period;
  /** That of the table. */
  readonly answer: UseQueryResult<Report>;
  readonly onChange: (changes: Partial<View>) => void;
}

const EMPTY: Drawing = { labels: [], series: [], values: [] };

/** Where the period is shown as fine as the chart is, and which bucket of it is running. */
function useOpen(period: Period, grain: Grain) {
  const { timezone } = useFormats();
  if (!period.isOpen) return undefined;
  return findOpen(listBuckets(period, grain), grain, { today: todayIn(timezone), hour: hourIn(timezone) });
}

/** The curves of the period and of the one before. */
function useCurves(view: View, period: Period, lines: readonly string[] | undefined) {
  const { id } = useProject();
  const isRows = view.over === 'rows';
  const question = isRows ? undefined : curveQuestion(view, period, lines);
  const curve = useReport(id, question);
  const earlier = useReport(
    id,
    isRows || !period.earlier ? undefined : curveQuestion(view, period, lines, period.earlier),
  );
  return { question, curve, earlier: period.earlier && !isRows ? earlier.data : undefined };
}

/** Over time the figures are asked for by themselves; otherwise they are those of the table. */
export function useDrawing({ view, period, answer, onChange }: Asked) {
  const formats = useFormats();
  const isRows = view.over === 'rows';
  const report = answer.isPlaceholderData ? undefined : answer.data;
  const { question, curve, earlier } = useCurves(view, period, chooseLines(view, report?.results));
  const dimension = lineDimension(view);
  const isByLine = !isRows && dimension !== undefined;
  const shownMetrics = isByLine ? [readMetric(view)] : readMetrics(view);
  const axes = chooseAxes(shownMetrics, isByLine ? [] : view.right, (one) => metricText(one).kind);
  const grain = chooseGrain(period.days, view.grain);
  const openFrom = useOpen(period, grain);
  const drawing = useMemo(() => {
    if (isRows) return answer.data ? drawRows(answer.data, axes) : EMPTY;
    if (!curve.data) return EMPTY;
    return drawOverTime(curve.data, axes, {
      ...{ time: 0, granularity: grain, range: period, openFrom, firstDay: period.firstDay },
      earlier: earlier && period.earlier && { range: period.earlier, report: earlier },
    });
  }, [isRows, answer.data, curve.data, earlier, period, grain, openFrom, JSON.stringify(axes)]);
  const { labels } = drawing;
  const names = useBucketNames({ ...period, granularity: grain });
  const compared = useMemo(() => {
    const about = describeComparison(period, formats);
    return about && period.earlier && !isRows ? { ...about, labels: listBuckets(period.earlier, grain) } : about;
  }, [period, formats, grain, isRows]);
  const filter = (value: Drawing['values'][number]) => value && onChange({ filters: filterTo(view.filters, ...value) });
  const press = (at: number, series: string) => {
    if (isRows) return filter(drawing.values[at]);
    const value = drawing.values[drawing.series.findIndex(({ name }) => name === series)];
    const bucket = labels[at];
    if (value) return filter(value);
    if (bucket) onChange(bucketRange(bucket, grain, period));
  };
  const shown = isRows ? readDimensions(view) : isByLine ? [dimension] : [];
  return {
    isRows,
    isByLine,
    axes,
    question,
    title: text.title(
      [...axes.left, ...axes.right].map((one) => metricText(one).label).join(', '),
      shown.map(dimensionText).join(', '),
    ),
    error: isRows ? null : curve.error,
    refetch: () => void curve.refetch(),
    notes: useChartNotes(period, grain, isRows ? NO_BUCKETS : labels),
    press,
    chart: {
      labels,
      ...(!isRows && names),
      labelName: isRows ? texts.name : dimensionText(grain),
      series: drawing.series,
      shape: isRows ? ('bar' as const) : view.shape,
      compared,
      openFrom: isRows ? undefined : openFrom,
      // Over time without a row there is nothing to draw.
      loading: isRows ? answer.isPending : question !== undefined ? curve.isPending : !report,
      stale: isRows ? answer.isPlaceholderData : curve.isPlaceholderData,
    },
  };
}

const NO_BUCKETS: readonly string[] = [];
