/**
 * Lines or bars over time, with an earlier range beside them that is named, and what is not over drawn apart.
 */
import type { BarSeriesOption, LineSeriesOption } from 'echarts';
import { useCallback, useMemo } from 'react';
import type { Formats } from '../../format';
import { useFormats } from '../../session';
import { texts, type Kind } from '../../texts';
import { DataTable } from '../DataTable';
import type { Column } from '../table-columns';
import { Chart, type ChartProps } from './Chart';
import { pickColors } from './colors';
import { axisLook, tooltipLook, useLook, type Look } from './look';
import { useHidden } from './use-hidden';
import { markNotes, tellNotes, type PlacedNotes } from './notes';

export interface Series {
  readonly name: string;
  /** One for each label; null leaves a gap. */
  readonly values: readonly (number | null)[];
  /** The comparison, likewise. */
  readonly before?: readonly (number | null)[];
  /** What is drawn: its colour stays the same in all charts. Without it colours are in the order of the series. */
  readonly entity?: string;
}

/** The range that is compared with. */
export interface ComparedRange {
  /** `vs Oct 1 – 25`. */
  readonly name: string;
  /** What its points are called; by default as those of the range itself. */
  readonly labels?: readonly string[];
  /** Grey: the range has not all of its data. */
  readonly isPartial?: boolean;
}

export interface TimeChartProps {
  readonly title: string;
  readonly kind: Kind;
  /** Below the axis: days `YYYY-MM-DD` unless `formatLabel` says otherwise. */
  readonly labels: readonly string[];
  readonly formatLabel?: (label: string) => string;
  /** What a point is called where there is room: in the tooltip and in the table. */
  readonly formatPoint?: (label: string) => string;
  readonly series: readonly Series[];
  readonly compared?: ComparedRange | undefined;
  /** The first point of what is not over. */
  readonly openFrom?: number | undefined;
  readonly shape?: 'line' | 'bar' | 'stacked';
  readonly notes?: PlacedNotes;
  readonly actions?: ChartProps['actions'];
  readonly height?: number;
  readonly loading?: boolean;
  readonly stale?: boolean;
  /** Instead of saying that there are no figures. */
  readonly emptyText?: string;
  /** The heading of the labels in the table. */
  readonly labelName: string;
}

export function TimeChart({
  title,
  kind,
  labels,
  series,
  shape = 'line',
  compared,
  openFrom,
  notes,
  ...props
}: TimeChartProps) {
  const { formatLabel: givenFormat, formatPoint: givenPoint, ...rest } = props;
  const formats = useFormats();
  const { colors: palette } = useLook();
  const formatLabel = givenFormat ?? formats.shortDay;
  const formatPoint = givenPoint ?? formatLabel;
  const { hidden, onToggle } = useHidden();
  const places = useMemo(() => pickColors(series, palette.length), [series, palette.length]);
  const option = useCallback(
    (look: Look) =>
      buildOption({
        ...{ kind, series, shape, hidden, formats, look, compared, openFrom, places, notes },
        labels: labels.map((label) => (label === '' ? '' : formatLabel(label))),
        points: labels.map((label) => (label === '' ? '' : formatPoint(label))),
        earlierPoints: compared?.labels?.map(formatPoint),
      }),
    [kind, labels, formatLabel, formatPoint, series, shape, hidden, formats, compared, openFrom, places, notes],
  );
  const isEmpty = series.every(({ values, before = [] }) => [...values, ...before].every((value) => value === null));
  const hasComparison = series.some(({ before }) => before);
  return (
    <Chart
      {...rest}
      title={title}
      option={option}
      empty={isEmpty}
      legend={{
        ...{ hidden, onToggle },
        names: series.map(({ name }) => name),
        colors: places.map((at) => palette[at] as string),
        comparison: hasComparison ? nameComparison(compared) : undefined,
        unfinished: openFrom !== undefined && shape === 'line' ? texts.period.unfinished : undefined,
      }}
      table={
        <SeriesTable
          title={title}
          kind={kind}
          labels={labels.map((label) => (label === '' ? texts.none : formatPoint(label)))}
          series={series}
          compared={compared}
          labelName={props.labelName}
        />
      }
    />
  );
}

export function nameComparison(compared: ComparedRange | undefined): string {
  if (!compared) return texts.period.comparison;
  return compared.isPartial ? texts.period.fewDays(compared.name) : compared.name;
}

interface Drawn extends Required<Pick<TimeChartProps, 'kind' | 'labels' | 'series' | 'shape'>> {
  readonly points: readonly string[];
  readonly earlierPoints: readonly string[] | undefined;
  readonly compared: ComparedRange | undefined;
  readonly openFrom: number | undefined;
  /** Which colours the series have. */
  readonly places: readonly number[];
  readonly hidden: ReadonlySet<string>;
  readonly notes: PlacedNotes | undefined;
  readonly formats: Formats;
  readonly look: Look;
}
interface OneSeries extends Series {
  readonly id: string;
  readonly color: string;
}

const FEW = 2;
const DASHED = [4, 4];
const DOTTED = [1, 4];

/** Solid as far as it is over, then dotted. */
function buildLines(one: OneSeries, openFrom: number | undefined, isAlone: boolean): LineSeriesOption[] {
  const { id, name, values, color } = one;
  const isFew = values.length <= FEW || openFrom === 0;
  const line: LineSeriesOption = {
    type: 'line',
    id,
    name,
    data: openFrom === undefined ? [...values] : values.map((value, at) => (at < openFrom ? value : null)),
    color,
    showSymbol: isFew,
    symbolSize: 6,
    lineStyle: { width: 2 },
    triggerLineEvent: true,
    ...(isAlone && { areaStyle: { opacity: 0.08 } }),
    emphasis: { disabled: true },
  };
  if (openFrom === undefined) return [line];
  const open = values.map((value, at) => (at >= openFrom - 1 ? value : null));
  const dotted = { type: DOTTED, cap: 'round' as const, width: 2.5 };
  return [line, { ...line, id: `${id} open`, data: open, lineStyle: dotted, areaStyle: undefined, showSymbol: isFew }];
}

function buildSeries(drawn: Drawn, shown: readonly OneSeries[]): (LineSeriesOption | BarSeriesOption)[] {
  const { shape, openFrom, compared, look } = drawn;
  return shown.flatMap((one): (LineSeriesOption | BarSeriesOption)[] => {
    const { id, name, values, before, color } = one;
    const main: (LineSeriesOption | BarSeriesOption)[] =
      shape === 'line'
        ? buildLines(one, openFrom, drawn.series.length === 1)
        : [
            {
              ...{ type: 'bar', id, name, color, barMaxWidth: 36, emphasis: { disabled: true } },
              data: [...values],
              ...(shape === 'stacked' && { stack: 'all' }),
            },
          ];
    if (!before) return main;
    const earlier: LineSeriesOption = {
      type: 'line',
      id: `${id} before`,
      name: texts.tools.chart.before(name, compared?.name),
      data: [...before],
      color: compared?.isPartial ? look.muted : color,
      showSymbol: before.length <= FEW,
      lineStyle: { width: 1.5, type: DASHED, opacity: 0.6 },
      emphasis: { disabled: true },
    };
    return [...main, earlier];
  });
}

interface TooltipItem {
  readonly dataIndex: number;
  readonly seriesId?: string;
  readonly marker?: string;
}

/** Both ranges with their own days: `Nov 3 · Oct 6`. */
function buildTooltip({ kind, points, earlierPoints, compared, formats, notes }: Drawn, shown: readonly OneSeries[]) {
  return (given: unknown) => {
    const items = (Array.isArray(given) ? given : [given]) as TooltipItem[];
    const at = items[0]?.dataIndex ?? 0;
    const marker = (id: string) => items.find(({ seriesId }) => seriesId?.startsWith(id))?.marker ?? '';
    const earlier = earlierPoints?.[at];
    const head = [points[at], earlier && texts.period.versus(earlier)].filter(Boolean).join(' ');
    const lines = shown.flatMap(({ id, name, values, before }) => {
      const value = values[at] ?? null;
      const own = points[at] === '' ? [] : [`${marker(id)}${name}  ${formats.of(kind, value)}`];
      if (!before) return own;
      const old = before[at] ?? null;
      const change = value !== null && old !== null ? `  ${formats.change(kind, value, old)}` : '';
      const named = earlier ?? compared?.name ?? texts.period.comparison;
      return [...own, `${marker(`${id} before`)}${named}  ${formats.of(kind, old)}${change}`];
    });
    return [head, ...lines, ...tellNotes(notes, at)].join('\n');
  };
}

function buildOption(drawn: Drawn) {
  const { kind, labels, series, shape, hidden, formats, look, places } = drawn;
  const axis = axisLook(look);
  const all = series.map((one, at): OneSeries => ({
    ...one,
    id: `s${at}`,
    color: look.colors[places[at] ?? 0] as string,
  }));
  const shown = all.filter(({ name }) => !hidden.has(name));
  return {
    tooltip: {
      ...tooltipLook(look),
      trigger: 'axis' as const,
      axisPointer: { type: shape === 'line' ? ('line' as const) : ('shadow' as const) },
      formatter: buildTooltip(drawn, shown),
    },
    xAxis: { type: 'category' as const, data: [...labels], boundaryGap: shape !== 'line', ...axis, splitLine: {} },
    yAxis: {
      type: 'value' as const,
      splitNumber: 4,
      ...axis,
      axisLine: { show: false },
      axisLabel: { ...axis.axisLabel, formatter: (value: number) => formats.short(value, kind) },
    },
    series: buildSeries(drawn, shown).map((one, at) => (at === 0 ? { ...one, ...markNotes(drawn.notes, look) } : one)),
  };
}

type TableProps = Pick<TimeChartProps, 'title' | 'kind' | 'labels' | 'series' | 'labelName' | 'compared'>;

function SeriesTable({ title, kind, labels, series, labelName, compared }: TableProps) {
  type Row = { at: number; label: string };
  const columns: Column<Row>[] = [
    { id: 'label', header: labelName, value: ({ label }) => label },
    ...series.flatMap(({ name, values, before }): Column<Row>[] => [
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
