/** Series over days (or any other labels), as lines or bars, each with what it is compared with as a dashed line. */
import type { LineSeriesOption, BarSeriesOption } from 'echarts';
import { useCallback, useState } from 'react';
import type { Formats } from '../../format';
import { useFormats } from '../../session';
import { texts, type Kind } from '../../texts';
import { DataTable } from '../DataTable';
import type { Column } from '../table-columns';
import { Chart } from './Chart';
import { Legend } from './Legend';
import { axisLook, tooltipLook, type Look } from './look';

export interface Series {
  readonly name: string;
  /** One for each label; null leaves a gap. */
  readonly values: readonly (number | null)[];
  /** The comparison, likewise. */
  readonly before?: readonly (number | null)[];
}

export interface TimeChartProps {
  readonly title: string;
  readonly kind: Kind;
  /** Below the axis: days `YYYY-MM-DD` unless `formatLabel` says otherwise. */
  readonly labels: readonly string[];
  readonly formatLabel?: (label: string) => string;
  readonly series: readonly Series[];
  readonly shape?: 'line' | 'bar' | 'stacked';
  readonly height?: number;
  readonly loading?: boolean;
  readonly stale?: boolean;
  /** The heading of the labels in the table. */
  readonly labelName: string;
}

export function TimeChart({
  title,
  kind,
  labels,
  series,
  shape = 'line',
  formatLabel: givenFormat,
  ...props
}: TimeChartProps) {
  const formats = useFormats();
  const formatLabel = givenFormat ?? formats.shortDay;
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const toggle = (name: string) => {
    const next = new Set(hidden);
    if (!next.delete(name)) next.add(name);
    setHidden(next);
  };
  const option = useCallback(
    (look: Look) => buildOption({ kind, labels: labels.map(formatLabel), series, shape, hidden, formats, look }),
    [kind, labels, formatLabel, series, shape, hidden, formats],
  );
  const isEmpty = series.every(({ values }) => values.every((value) => value === null));
  return (
    <Chart
      {...props}
      title={title}
      option={option}
      empty={isEmpty}
      legend={
        <Legend
          names={series.map(({ name }) => name)}
          hidden={hidden}
          onToggle={toggle}
          hasComparison={series.some(({ before }) => before)}
        />
      }
      table={
        <SeriesTable
          title={title}
          kind={kind}
          labels={labels.map(formatLabel)}
          series={series}
          labelName={props.labelName}
        />
      }
    />
  );
}

interface Drawn extends Required<Pick<TimeChartProps, 'kind' | 'labels' | 'series' | 'shape'>> {
  readonly hidden: ReadonlySet<string>;
  readonly formats: Formats;
  readonly look: Look;
}

const FEW = 2;

function buildOption({ kind, labels, series, shape, hidden, formats, look }: Drawn) {
  const axis = axisLook(look);
  const drawn = series.map((one, at) => ({ ...one, color: look.colors[at % look.colors.length] as string }));
  const shown = drawn.filter(({ name }) => !hidden.has(name));
  const lines = shown.flatMap(({ name, values, before, color }): (LineSeriesOption | BarSeriesOption)[] => [
    shape === 'line'
      ? {
          type: 'line',
          name,
          data: [...values],
          color,
          showSymbol: values.length <= FEW,
          symbolSize: 6,
          lineStyle: { width: 2 },
          ...(series.length === 1 && { areaStyle: { opacity: 0.08 } }),
          emphasis: { disabled: true },
        }
      : {
          type: 'bar',
          name,
          data: [...values],
          color,
          barMaxWidth: 36,
          ...(shape === 'stacked' && { stack: 'all' }),
          emphasis: { disabled: true },
        },
    ...(before
      ? [
          {
            type: 'line' as const,
            name: texts.tools.chart.before(name),
            data: [...before],
            color,
            showSymbol: before.length <= FEW,
            lineStyle: { width: 1.5, type: [4, 4] as number[], opacity: 0.6 },
            emphasis: { disabled: true },
          },
        ]
      : []),
  ]);
  return {
    tooltip: {
      ...tooltipLook(look),
      trigger: 'axis' as const,
      axisPointer: { type: shape === 'line' ? ('line' as const) : ('shadow' as const) },
      valueFormatter: (value: unknown) => formats.of(kind, typeof value === 'number' ? value : null),
    },
    xAxis: { type: 'category' as const, data: [...labels], boundaryGap: shape !== 'line', ...axis, splitLine: {} },
    yAxis: {
      type: 'value' as const,
      splitNumber: 4,
      ...axis,
      axisLine: { show: false },
      axisLabel: { ...axis.axisLabel, formatter: (value: number) => formats.short(value, kind) },
    },
    series: lines,
  };
}

type TableProps = Pick<TimeChartProps, 'title' | 'kind' | 'labels' | 'series' | 'labelName'>;

function SeriesTable({ title, kind, labels, series, labelName }: TableProps) {
  type Row = { at: number; label: string };
  const columns: Column<Row>[] = [
    { id: 'label', header: labelName, value: ({ label }) => label },
    ...series.flatMap(({ name, values, before }): Column<Row>[] => [
      { id: name, header: name, kind, value: ({ at }) => values[at] },
      ...(before
        ? [{ id: `${name} before`, header: texts.tools.chart.before(name), kind, value: ({ at }: Row) => before[at] }]
        : []),
    ]),
  ];
  const rows = labels.map((label, at) => ({ at, label }));
  return <DataTable label={title} columns={columns} rows={rows} rowId={({ label }) => label} />;
}
