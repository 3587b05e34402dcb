/** What the chart of the question draws, and what a press on it leads to. */
import type { UseQueryResult } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useReport, type Report } from '../../api/queries';
import { useChartNotes } from '../../components/use-chart-notes';
import { describeComparison } from '../../compared';
import { filterTo, isTime } from '../../drill';
import { hourIn, todayIn, type Period } from '../../period';
import { findOpen } from '../../series';
import { useFormats, useProject } from '../../session';
import { listSteps, stepName } from '../../steps';
import { dimensionText, metricText, texts } from '../../texts';
import { explore as text } from '../../texts/explore';
import { chooseAxes } from './axes';
import {
  chooseGrain,
  chooseLines,
  curveQuestion,
  lineDimension,
  readDimensions,
  readMetric,
  readMetrics,
  type View,
} from './questions';
import { drawCurve, drawRows, type Drawing } from './series';

export interface Asked {
  readonly view: View;
  readonly period: Period;
  /** That of the table. */
  readonly answer: UseQueryResult<Report>;
  readonly onChange: (changes: Partial<View>) => void;
}

const NO_STEPS: readonly string[] = [];
const EMPTY: Drawing = { labels: [], series: [], points: [] };

/** Over time the figures are asked for by themselves; otherwise they are those of the table. */
export function useDrawing({ view, period, answer, onChange }: Asked) {
  const formats = useFormats();
  const isRows = view.over === 'rows';
  const report = answer.isPlaceholderData ? undefined : answer.data;
  const question = isRows ? undefined : curveQuestion(view, period, chooseLines(view, report?.results));
  const curve = useReport(useProject().id, question);
  const dimension = lineDimension(view);
  const isByLine = !isRows && dimension !== undefined;
  const shownMetrics = isByLine ? [readMetric(view)] : readMetrics(view);
  const axes = chooseAxes(shownMetrics, isByLine ? [] : view.right, (one) => metricText(one).kind);
  const grain = chooseGrain(period.days, view.grain);
  const drawing = useMemo(() => {
    if (isRows) return answer.data ? drawRows(answer.data, axes) : EMPTY;
    return curve.data ? drawCurve(curve.data, period, grain, axes, formats) : EMPTY;
  }, [isRows, answer.data, curve.data, period, grain, JSON.stringify(axes), formats]);
  const { steps = NO_STEPS } = drawing;
  const now = { today: todayIn(formats.timezone), hour: hourIn(formats.timezone) };
  const compared = useMemo(() => {
    const about = describeComparison(period, formats);
    if (!about || !period.earlier || isRows) return about;
    return { ...about, labels: listSteps(period.earlier, grain).map((step) => stepName(step, grain, formats)) };
  }, [period, formats, grain, isRows]);
  const shownDimensions = isRows || isByLine ? readDimensions(view).filter((one) => isRows || !isTime(one)) : [];
  const press = (at: number, series: string) => {
    const change = drawing.points[at];
    if (!isRows) {
      const value = isByLine ? drawing.lines?.get(series) : undefined;
      if (value !== undefined && dimension) onChange({ filters: filterTo(view.filters, dimension, value) });
      else if (change?.from) onChange({ from: change.from, to: change.to });
    } else if (change?.filter) onChange({ filters: filterTo(view.filters, ...change.filter) });
  };
  return {
    isRows,
    isByLine,
    axes,
    question,
    title: text.title(
      [...axes.left, ...axes.right].map((one) => metricText(one).label).join(', '),
      shownDimensions.map(dimensionText).join(', '),
    ),
    error: isRows ? null : curve.error,
    refetch: () => void curve.refetch(),
    notes: useChartNotes(period, grain, steps),
    press,
    chart: {
      labels: drawing.labels,
      labelName: isRows ? texts.name : dimensionText(grain),
      series: drawing.series,
      shape: isRows ? ('bar' as const) : view.shape,
      compared,
      openFrom: period.isOpen ? findOpen(steps, grain, now) : undefined,
      // Over time without a row there is nothing to draw.
      loading: isRows ? answer.isPending : question !== undefined ? curve.isPending : !report,
      stale: isRows ? answer.isPlaceholderData : curve.isPlaceholderData,
    },
  };
}
