/** The chart of the question: its figures over time, or beside its rows. */
import { Group, MultiSelect, SegmentedControl, Select } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useReport, type Report } from '../../api/queries';
import { MixedChart } from '../../components/chart/MixedChart';
import { ErrorBox } from '../../components/ErrorBox';
import { Notes } from '../../components/Notes';
import { Panel } from '../../components/Panel';
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
import { choices, GRAIN_CHOICES } from './choices';
import {
  chooseGrain,
  chooseLines,
  curveQuestion,
  lineDimension,
  readDimensions,
  readMetric,
  readMetrics,
} from './questions';
import type { View } from './questions';
import { drawCurve, drawRows, type Drawing } from './series';

interface Props {
  readonly view: View;
  readonly period: Period;
  /** That of the table. */
  readonly answer: UseQueryResult<Report>;
  readonly onChange: (changes: Partial<View>) => void;
}

const NO_STEPS: readonly string[] = [];
const EMPTY: Drawing = { labels: [], series: [], points: [] };

export function ExploreChart({ view, period, answer, onChange }: Props) {
  const formats = useFormats();
  const isRows = view.over === 'rows';
  const report = answer.isPlaceholderData ? undefined : answer.data;
  const lines = chooseLines(view, report?.results);
  const asked = isRows ? undefined : curveQuestion(view, period, lines);
  const curve = useReport(useProject().id, asked);
  const dimension = lineDimension(view);
  const metrics = readMetrics(view);
  const isByLine = !isRows && dimension !== undefined;
  const shownMetrics = isByLine ? [readMetric(view)] : metrics;
  const axes = chooseAxes(shownMetrics, isByLine ? [] : view.right, (one) => metricText(one).kind);
  const drawing = useMemo(() => {
    if (isRows) return answer.data ? drawRows(answer.data, axes) : EMPTY;
    return curve.data ? drawCurve(curve.data, period, chooseGrain(period.days, view.grain), axes, formats) : EMPTY;
  }, [isRows, answer.data, curve.data, period, view.grain, JSON.stringify(axes), formats]);
  const grain = chooseGrain(period.days, view.grain);
  const { steps = NO_STEPS } = drawing;
  const now = { today: todayIn(formats.timezone), hour: hourIn(formats.timezone) };
  const openFrom = period.isOpen ? findOpen(steps, grain, now) : undefined;
  const compared = useMemo(() => {
    const about = describeComparison(period, formats);
    if (!about || !period.earlier || isRows) return about;
    return { ...about, labels: listSteps(period.earlier, grain).map((step) => stepName(step, grain, formats)) };
  }, [period, formats, grain, isRows]);
  const { placed, list } = useChartNotes(period, grain, steps);
  const title = text.title(
    [...axes.left, ...axes.right].map((one) => metricText(one).label).join(', '),
    isRows || isByLine
      ? readDimensions(view)
          .filter((one) => isRows || !isTime(one))
          .map(dimensionText)
          .join(', ')
      : '',
  );
  // Over time without a row there is nothing to draw.
  const isWaiting = isRows ? answer.isPending : asked !== undefined ? curve.isPending : !report;
  const press = (at: number, series: string) => {
    const change = drawing.points[at];
    if (!isRows) {
      const value = isByLine ? drawing.lines?.get(series) : undefined;
      if (value !== undefined && dimension) onChange({ filters: filterTo(view.filters, dimension, value) });
      else if (change?.from) onChange({ from: change.from, to: change.to });
    } else if (change?.filter) onChange({ filters: filterTo(view.filters, ...change.filter) });
  };
  return (
    <Panel
      title={title}
      question={asked}
      tools={
        <Group gap="xs">
          {metrics.length > 1 && !isByLine && (
            <MultiSelect
              size="xs"
              miw={130}
              aria-label={text.right}
              placeholder={axes.right.length === 0 ? text.right : undefined}
              value={[...axes.right]}
              data={metrics.map((value) => ({ value, label: metricText(value).label }))}
              onChange={(next) => onChange({ right: next })}
            />
          )}
          {metrics.length > 1 && isByLine && (
            <Select
              size="xs"
              w={140}
              aria-label={text.metric}
              allowDeselect={false}
              value={readMetric(view)}
              data={metrics.map((value) => ({ value, label: metricText(value).label }))}
              onChange={(metric) => onChange({ metric: metric ?? undefined })}
            />
          )}
          {!isRows && (
            <SegmentedControl
              size="xs"
              aria-label={text.shape}
              value={view.shape}
              data={choices(text.shapes)}
              onChange={(shape) => onChange({ shape })}
            />
          )}
          {readDimensions(view).length > 0 && (
            <SegmentedControl
              size="xs"
              aria-label={text.over}
              value={view.over}
              data={choices(text.overs)}
              onChange={(over) => onChange({ over })}
            />
          )}
          {!isRows && (
            <Select
              size="xs"
              w={100}
              aria-label={text.grain}
              allowDeselect={false}
              value={view.grain}
              data={GRAIN_CHOICES}
              onChange={(grain) => onChange({ grain: grain ?? view.grain })}
            />
          )}
        </Group>
      }
    >
      {curve.error && !isRows ? (
        <ErrorBox error={curve.error} onRetry={() => void curve.refetch()} />
      ) : (
        <MixedChart
          title={title}
          labels={drawing.labels}
          labelName={isRows ? texts.name : dimensionText(chooseGrain(period.days, view.grain))}
          series={drawing.series}
          shape={isRows ? 'bar' : view.shape}
          compared={compared}
          openFrom={openFrom}
          notes={placed}
          onPoint={press}
          loading={isWaiting}
          stale={isRows ? answer.isPlaceholderData : curve.isPlaceholderData}
          height={300}
        />
      )}
      {!isRows && <Notes {...list} />}
    </Panel>
  );
}
