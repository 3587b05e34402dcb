/** Several metrics over days or beside rows: as lines, bars or areas, on two axes, each with its comparison. */
import type { BarSeriesOption, EChartsOption, LineSeriesOption } from 'echarts';
import { useCallback, useState } from 'react';
import type { Formats } from '../../format';
import { useFormats } from '../../session';
import { texts, type Kind } from '../../texts';
import { DataTable } from '../DataTable';
import type { Column } from '../table-columns';
import { Chart } from './Chart';
import { Legend } from './Legend';
import { axisLook, tooltipLook, type Look } from './look';
import type { MixedSeries } from './mixed-series';

export interface MixedChartProps {
  readonly title: string;
  readonly labels: readonly string[];
  readonly labelName: string;
  readonly series: readonly MixedSeries[];
  readonly shape: 'line' | 'bar' | 'area';
  /** Called with the place of a label and the name of a series, where either is pressed. */
  readonly onPoint?: (at: number, series: string) => void;
  readonly height?: number;
  readonly loading?: boolean;
  readonly stale?: boolean;
}

export function MixedChart({ title, labels, labelName, series, shape, onPoint, ...props }: MixedChartProps) {
  const formats = useFormats();
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const toggle = (name: string) => {
    const next = new Set(hidden);
    if (!next.delete(name)) next.add(name);
    setHidden(next);
  };
  const option = useCallback(
    (look: Look) => buildOption({ labels, series, shape, hidden, formats, look }),
    [labels, series, shape, hidden, formats],
  );
  return (
    <Chart
      {...props}
      title={title}
      option={option}
      onPoint={onPoint}
      empty={series.every(({ values }) => values.every((value) => value === null))}
      legend={
        <Legend
          names={series.map(({ name }) => name)}
          hidden={hidden}
          onToggle={toggle}
          comparison={series.some(({ before }) => before) ? texts.period.comparison : undefined}
        />
      }
      table={<SeriesTable title={title} labels={labels} labelName={labelName} series={series} />}
    />
  );
}

interface Drawn extends Pick<MixedChartProps, 'labels' | 'series' | 'shape'> {
  readonly hidden: ReadonlySet<string>;
  readonly formats: Formats;
  readonly look: Look;
}

const FEW = 2;

function buildOption({ labels, series, shape, hidden, formats, look }: Drawn): EChartsOption {
  const axis = axisLook(look);
  const drawn = series.map((one, at) => ({ ...one, color: look.colors[at % look.colors.length] as string }));
  const shown = drawn.filter(({ name }) => !hidden.has(name));
  const kinds = new Map(
    drawn.flatMap(({ name, kind }) => [name, texts.tools.chart.before(name)].map((n) => [n, kind])),
  );
  const sides = (['left', 'right'] as const).filter((side) => drawn.some((one) => one.axis === side));
  const lines = shown.flatMap((one): (LineSeriesOption | BarSeriesOption)[] => {
    const common = {
      name: one.name,
      color: one.color,
      yAxisIndex: sides.indexOf(one.axis),
      emphasis: { disabled: true },
    };
    const past = {
      ...common,
      name: texts.tools.chart.before(one.name),
      data: [...(one.before ?? [])],
    };
    // Bars stand beside bars: a line from row to row would say that rows follow each other.
    const before: LineSeriesOption | BarSeriesOption =
      shape === 'bar'
        ? { ...past, type: 'bar', barMaxWidth: 36, itemStyle: { opacity: 0.35 } }
        : {
            ...past,
            type: 'line',
            showSymbol: labels.length <= FEW,
            lineStyle: { width: 1.5, type: [4, 4], opacity: 0.6 },
          };
    const main: LineSeriesOption | BarSeriesOption =
      shape === 'bar'
        ? { ...common, type: 'bar', data: [...one.values], barMaxWidth: 36 }
        : {
            ...common,
            type: 'line',
            data: [...one.values],
            // A symbol is what a pointer finds; it shows where the pointer is.
            showSymbol: labels.length <= FEW,
            symbolSize: 6,
            lineStyle: { width: 2 },
            triggerLineEvent: true,
            ...(shape === 'area' && { areaStyle: { opacity: 0.25 } }),
          };
    return one.before ? [main, before] : [main];
  });
  return {
    grid: { left: 8, right: 8, top: 16, bottom: 4, containLabel: true },
    tooltip: {
      ...tooltipLook(look),
      trigger: 'axis',
      axisPointer: { type: shape === 'bar' ? 'shadow' : 'line' },
      formatter: (given) => describePoint(given, kinds, formats),
    },
    xAxis: { type: 'category', data: [...labels], boundaryGap: shape === 'bar', ...axis, splitLine: {} },
    yAxis: sides.map((side) => {
      const kind = drawn.find((one) => one.axis === side)?.kind ?? 'count';
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
    series: lines,
  };
}

interface Point {
  readonly name?: string;
  readonly seriesName?: string;
  readonly marker?: unknown;
  readonly value?: unknown;
}

/** The tooltip: each series in its own format. */
function describePoint(given: unknown, kinds: ReadonlyMap<string, Kind>, formats: Formats) {
  const points = (Array.isArray(given) ? given : [given]) as Point[];
  const [first] = points;
  const lines = points.map(({ seriesName = '', marker, value }) => {
    const shown = formats.of(kinds.get(seriesName) ?? 'count', typeof value === 'number' ? value : null);
    return `${typeof marker === 'string' ? marker : ''}${seriesName}  ${shown}`;
  });
  return [first?.name ?? '', ...lines].join('\n');
}

function SeriesTable({
  title,
  labels,
  labelName,
  series,
}: Pick<MixedChartProps, 'title' | 'labels' | 'labelName' | 'series'>) {
  type Row = { at: number; label: string };
  const columns: Column<Row>[] = [
    { id: 'label', header: labelName, value: ({ label }) => label },
    ...series.flatMap(({ name, kind, values, before }): Column<Row>[] => [
      { id: name, header: name, kind, value: ({ at }) => values[at] },
      ...(before
        ? [{ id: `${name} before`, header: texts.tools.chart.before(name), kind, value: ({ at }: Row) => before[at] }]
        : []),
    ]),
  ];
  const rows = labels.map((label, at) => ({ at, label }));
  return <DataTable label={title} columns={columns} rows={rows} rowId={({ at }) => String(at)} />;
}
