/** Several metrics over days or beside rows: as lines, bars or areas, on two axes, each with its comparison. */
import type { BarSeriesOption, EChartsOption, LineSeriesOption } from 'echarts';
import { useCallback, useMemo } from 'react';
import type { Formats } from '../../format';
import { useFormats } from '../../session';
import { texts } from '../../texts';
import { DataTable } from '../DataTable';
import type { Column } from '../table-columns';
import { Chart } from './Chart';
import { pickColors } from './colors';
import { axisLook, nameAxisLook, tooltipLook, useLook, type Look } from './look';
import type { MixedSeries } from './mixed-series';
import { useHidden } from './use-hidden';
import { markNotes, tellNotes, type PlacedNotes } from './notes';
import { nameComparison, type ComparedRange } from './TimeChart';

export interface MixedChartProps {
  readonly title: string;
  readonly labels: readonly string[];
  /** How labels that are times are written below the axis, and where there is room; without them labels are names. */
  readonly formatLabel?: ((label: string) => string) | undefined;
  readonly formatPoint?: ((label: string) => string) | undefined;
  readonly labelName: string;
  readonly series: readonly MixedSeries[];
  readonly shape: 'line' | 'bar' | 'area';
  /** The range that is compared with; its labels are what its points are called. */
  readonly compared?: ComparedRange | undefined;
  /** The first point of what is not over. */
  readonly openFrom?: number | undefined;
  readonly notes?: PlacedNotes | undefined;
  /** Called with the place of a label and the name of a series, where either is pressed. */
  readonly onPoint?: (at: number, series: string) => void;
  readonly height?: number;
  readonly loading?: boolean;
  readonly stale?: boolean;
}

const SAME = (label: string) => label;

export function MixedChart({ title, labelName, onPoint, ...drawn }: MixedChartProps) {
  const { labels, formatLabel = SAME, formatPoint = SAME, series, shape, compared, openFrom, notes, ...props } = drawn;
  const areNames = formatLabel === SAME;
  const formats = useFormats();
  const palette = useLook().colors;
  const places = useMemo(() => pickColors(series, palette.length), [series, palette.length]);
  const { hidden, onToggle } = useHidden();
  const option = useCallback(
    (look: Look) =>
      buildOption({
        ...{ series, shape, compared, openFrom, notes, places, hidden, formats, look, areNames },
        labels: labels.map((label) => label && formatLabel(label)),
        points: labels.map((label) => label && formatPoint(label)),
        earlierPoints: compared?.labels?.map(formatPoint),
      }),
    [labels, formatLabel, formatPoint, areNames, series, shape, compared, openFrom, notes, places, hidden, formats],
  );
  return (
    <Chart
      {...props}
      title={title}
      option={option}
      onPoint={onPoint}
      empty={series.every(({ values, before = [] }) => [...values, ...before].every((value) => value === null))}
      legend={{
        ...{ hidden, onToggle },
        names: series.map(({ name }) => name),
        colors: places.map((at) => palette[at] as string),
        comparison: series.some(({ before }) => before) ? nameComparison(compared) : undefined,
        unfinished: openFrom !== undefined && shape !== 'bar' ? texts.period.unfinished : undefined,
      }}
      table={
        <SeriesTable
          title={title}
          labels={labels.map((label) => (label === '' ? texts.none : formatPoint(label)))}
          labelName={labelName}
          series={series}
          compared={compared}
        />
      }
    />
  );
}

interface Drawn extends Pick<MixedChartProps, 'labels' | 'series' | 'shape' | 'compared' | 'openFrom' | 'notes'> {
  readonly points: readonly string[];
  readonly earlierPoints: readonly string[] | undefined;
  /** Whether labels are names, each of which is read. */
  readonly areNames: boolean;
  /** Which colours the series have. */
  readonly places: readonly number[];
  readonly hidden: ReadonlySet<string>;
  readonly formats: Formats;
  readonly look: Look;
}

const FEW = 2;

interface OneSeries extends MixedSeries {
  readonly id: string;
  readonly color: string;
}

const DASHED = [4, 4];
const DOTTED = [1, 4];

/** Solid, or filled, as far as it is over, then dotted. */
function buildLines(one: OneSeries, { shape, labels, openFrom }: Drawn, yAxisIndex: number): LineSeriesOption[] {
  const { id, name, color, values } = one;
  const line: LineSeriesOption = {
    ...{ type: 'line', id, name, color, yAxisIndex, emphasis: { disabled: true } },
    data: openFrom === undefined ? [...values] : values.map((value, at) => (at < openFrom ? value : null)),
    // A symbol is what a pointer finds; it shows where the pointer is.
    showSymbol: labels.length <= FEW || openFrom === 0,
    symbolSize: 6,
    lineStyle: { width: 2 },
    triggerLineEvent: true,
    ...(shape === 'area' && { areaStyle: { opacity: 0.25 } }),
  };
  if (openFrom === undefined) return [line];
  const open = values.map((value, at) => (at >= openFrom - 1 && at <= openFrom ? value : null));
  const dotted = { type: DOTTED, cap: 'round' as const, width: 2.5 };
  return [line, { ...line, id: `${id} open`, data: open, lineStyle: dotted, areaStyle: undefined }];
}

function buildOption(drawn: Drawn): EChartsOption {
  const { labels, series, shape, hidden, formats, look, compared, places } = drawn;
  const axis = axisLook(look);
  const all = series.map((one, at): OneSeries => ({
    ...one,
    id: `s${at}`,
    color: look.colors[places[at] ?? 0] as string,
  }));
  const shown = all.filter(({ name }) => !hidden.has(name));
  const sides = (['left', 'right'] as const).filter((side) => all.some((one) => one.axis === side));
  const lines = shown.flatMap((one): (LineSeriesOption | BarSeriesOption)[] => {
    const yAxisIndex = sides.indexOf(one.axis);
    const past = {
      ...{ id: `${one.id} before`, yAxisIndex, emphasis: { disabled: true } },
      name: texts.tools.chart.before(one.name, compared?.name),
      color: compared?.isPartial ? look.muted : one.color,
      data: [...(one.before ?? [])],
    };
    const bars: BarSeriesOption = {
      ...{ type: 'bar', id: one.id, name: one.name, color: one.color, yAxisIndex, emphasis: { disabled: true } },
      data: [...one.values],
      barMaxWidth: 36,
    };
    const main = shape === 'bar' ? [bars] : buildLines(one, drawn, yAxisIndex);
    if (!one.before) return main;
    // Bars stand beside bars: a line from row to row would say that rows follow each other.
    const before: LineSeriesOption | BarSeriesOption =
      shape === 'bar'
        ? { ...past, type: 'bar', barMaxWidth: 36, itemStyle: { opacity: 0.35 } }
        : {
            ...{ ...past, type: 'line', showSymbol: labels.length <= FEW },
            lineStyle: { width: 1.5, type: DASHED, opacity: 0.6 },
          };
    return [...main, before];
  });
  return {
    grid: { left: 8, right: 8, top: 16, bottom: 4, containLabel: true },
    tooltip: {
      ...tooltipLook(look),
      trigger: 'axis',
      axisPointer: { type: shape === 'bar' ? 'shadow' : 'line' },
      formatter: (given) => describePoint(given, drawn, shown),
    },
    xAxis: {
      ...{ type: 'category' as const, data: [...labels], boundaryGap: shape === 'bar', ...axis, splitLine: {} },
      ...(drawn.areNames && { axisLabel: nameAxisLook(look, labels) }),
    },
    yAxis: sides.map((side) => {
      const kind = all.find((one) => one.axis === side)?.kind ?? 'count';
      return {
        type: 'value' as const,
        position: side,
        splitNumber: 4,
        ...axis,
        axisLine: { show: false },
        splitLine: side === sides[0] ? axis.splitLine : { show: false },
        axisLabel: { ...axis.axisLabel, formatter: (value: number) => formats.short(value, kind) },
      };
    }),
    series: lines.map((one, at) => (at === 0 ? { ...one, ...markNotes(drawn.notes, look) } : one)),
  };
}

interface Point {
  readonly dataIndex: number;
  readonly seriesId?: string;
  readonly marker?: unknown;
}

/** The tooltip: each series in its own format, with what it is compared with. */
function describePoint(
  given: unknown,
  { points: names, earlierPoints, compared, formats, notes }: Drawn,
  shown: readonly OneSeries[],
) {
  const points = (Array.isArray(given) ? given : [given]) as Point[];
  const at = points[0]?.dataIndex ?? 0;
  const marker = (id: string) => {
    const found = points.find(({ seriesId }) => seriesId === id || seriesId === `${id} open`)?.marker;
    return typeof found === 'string' ? found : '';
  };
  const earlier = earlierPoints?.[at];
  const named = earlier === undefined ? (compared?.name ?? texts.period.comparison) : texts.period.versus(earlier);
  const lines = shown.flatMap(({ id, name, kind, values, before }) => [
    ...(names[at] === '' ? [] : [`${marker(id)}${name}  ${formats.of(kind, values[at] ?? null)}`]),
    ...(before ? [`${marker(`${id} before`)}${named}  ${formats.of(kind, before[at] ?? null)}`] : []),
  ]);
  return [names[at], ...lines, ...tellNotes(notes, at)].filter(Boolean).join('\n');
}

function SeriesTable({
  title,
  labels,
  labelName,
  series,
  compared,
}: Pick<MixedChartProps, 'title' | 'labels' | 'labelName' | 'series' | 'compared'>) {
  type Row = { at: number; label: string };
  const columns: Column<Row>[] = [
    { id: 'label', header: labelName, value: ({ label }) => label },
    ...series.flatMap(({ name, kind, values, before }): Column<Row>[] => [
      { id: name, header: name, kind, value: ({ at }) => values[at] },
      ...(before
        ? [
            {
              id: `${name} before`,
              header: texts.tools.chart.before(name, compared?.name),
              kind,
              value: ({ at }: Row) => before[at],
            },
          ]
        : []),
    ]),
  ];
  const rows = labels.map((label, at) => ({ at, label }));
  return <DataTable label={title} columns={columns} rows={rows} rowId={({ at }) => String(at)} />;
}
