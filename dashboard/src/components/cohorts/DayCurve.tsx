/** Figures by day since install: days stand as far apart as they are, with a line to reach. */
import type { EChartsOption, LineSeriesOption } from 'echarts';
import { useCallback } from 'react';
import { Chart, type ChartProps } from '../chart/Chart';
import { placePoints } from '../chart/use-echart';
import { useHidden } from '../chart/use-hidden';
import { axisLook, tooltipLook, type Look } from '../chart/look';
import { DataTable } from '../DataTable';
import type { Column } from '../table-columns';
import type { Formats } from '../../format';
import { useFormats } from '../../session';
import { type Kind, texts } from '../../texts';
import { retention as text } from '../../texts/retention';

interface Series {
  readonly name: string;
  readonly values: readonly (number | null)[];
}

interface Props {
  readonly title: string;
  readonly kind: Kind;
  readonly days: readonly number[];
  readonly series: readonly Series[];
  /** Drawn across, for example what an install cost. */
  readonly goal?: { readonly name: string; readonly value: number } | undefined;
  readonly actions?: ChartProps['actions'];
  readonly loading: boolean;
  readonly stale: boolean;
  readonly height: number;
}

/** Where the axis ends if the goal is above all values; else the chart finds it. */
function findTop(series: readonly Series[], goal = 0): number | undefined {
  const greatest = Math.max(0, ...series.flatMap(({ values }) => values.map((value) => value ?? 0)));
  if (goal <= greatest) return undefined;
  const step = 10 ** Math.floor(Math.log10(goal)) / 2;
  return Math.ceil((goal * 1.05) / step) * step;
}

type Drawn = Pick<Props, 'kind' | 'days' | 'series' | 'goal'>;

/** The lines, without those that are hidden, and the goal across them. */
function buildOption(
  { kind, days, series, goal }: Drawn,
  hidden: ReadonlySet<string>,
  formats: Formats,
  look: Look,
): EChartsOption {
  const axis = axisLook(look);
  const lines = series.map(({ name, values }, at): LineSeriesOption => ({
    type: 'line',
    name,
    color: look.colors[at % look.colors.length],
    data: hidden.has(name) ? [] : values.map((value, i) => [days[i] as number, value as number]),
    showSymbol: true,
    symbolSize: 5,
    lineStyle: { width: 2 },
    triggerLineEvent: true,
    emphasis: { disabled: true },
    ...(at === 0 &&
      goal && {
        markLine: {
          silent: true,
          symbol: 'none',
          data: [{ yAxis: goal.value }],
          lineStyle: { color: look.muted, type: [4, 4], width: 1.5 },
          label: {
            formatter: `${goal.name} ${formats.of(kind, goal.value)}`,
            position: 'insideStartTop',
            color: look.muted,
            fontSize: 11,
          },
        },
      }),
  }));
  return {
    tooltip: {
      ...tooltipLook(look),
      trigger: 'axis',
      axisPointer: { type: 'line', label: { formatter: ({ value }) => texts.dayN(Number(value)) } },
      valueFormatter: (value: unknown) => formats.of(kind, typeof value === 'number' ? value : null),
    },
    xAxis: {
      type: 'value',
      ...placePoints(days),
      min: days[0] ?? 0,
      max: days.at(-1) ?? 1,
      ...axis,
      splitLine: { show: false },
      axisLabel: { ...axis.axisLabel, formatter: (value: number) => `D${value}` },
    },
    yAxis: {
      type: 'value',
      min: 0,
      max: findTop(series, goal?.value),
      splitNumber: 4,
      ...axis,
      axisLine: { show: false },
      axisLabel: {
        ...axis.axisLabel,
        formatter: (value: number) => formats.short(value, kind),
      },
    },
    series: lines,
  };
}

export function DayCurve({ title, kind, days, series, goal, ...props }: Props) {
  const formats = useFormats();
  const { hidden, onToggle } = useHidden();
  const option = useCallback(
    (look: Look) => buildOption({ kind, days, series, goal }, hidden, formats, look),
    [days, series, goal?.name, goal?.value, hidden, kind, formats],
  );
  const columns: Column<{ at: number; day: number }>[] = [
    { id: 'day', header: text.dayAxis, value: ({ day }) => texts.dayN(day) },
    ...series.map(({ name, values }): Column<{ at: number; day: number }> => ({
      id: name,
      header: name,
      kind,
      value: ({ at }) => values[at],
    })),
    ...(goal ? [{ id: 'goal', header: goal.name, kind, value: () => goal.value }] : []),
  ];
  return (
    <Chart
      {...props}
      title={title}
      option={option}
      empty={series.every(({ values }) => values.every((value) => value === null))}
      legend={{ names: series.map(({ name }) => name), hidden, onToggle }}
      table={
        <DataTable
          label={title}
          columns={columns}
          rows={days.map((day, at) => ({ at, day }))}
          rowId={({ day }) => String(day)}
        />
      }
    />
  );
}
