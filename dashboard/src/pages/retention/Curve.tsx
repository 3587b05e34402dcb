/** Retention by day since install: of all cohorts, and of those that are chosen in the table. */
import type { LineSeriesOption } from 'echarts';
import { useCallback, useMemo } from 'react';
import { Chart } from '../../components/chart/Chart';
import { useHidden } from '../../components/chart/use-hidden';
import { axisLook, tooltipLook, type Look } from '../../components/chart/look';
import { DataTable } from '../../components/DataTable';
import type { Column } from '../../components/table-columns';
import type { Formats } from '../../format';
import { useFormats } from '../../session';
import { retention as text } from '../../texts/retention';
import { texts } from '../../texts';

export interface Line {
  readonly name: string;
  /** One for each day. */
  readonly values: readonly (number | null)[];
}

interface Props {
  readonly days: readonly number[];
  readonly lines: readonly Line[];
  readonly loading: boolean;
  readonly stale: boolean;
}

export function Curve({ days, lines, loading, stale }: Props) {
  const formats = useFormats();
  const { hidden, onToggle } = useHidden();
  const option = useCallback(
    (look: Look) => buildOption(days, lines, hidden, formats, look),
    [days, lines, hidden, formats],
  );
  const columns = useMemo(
    (): Column<{ at: number; day: number }>[] => [
      { id: 'day', header: text.dayAxis, value: ({ day }) => texts.dayN(day) },
      ...lines.map(({ name, values }) => ({
        id: name,
        header: name,
        kind: 'percent' as const,
        value: ({ at }: { at: number }) => values[at],
      })),
    ],
    [lines],
  );
  return (
    <Chart
      title={texts.retentionByDay}
      option={option}
      height={240}
      loading={loading}
      stale={stale}
      empty={lines.every(({ values }) => values.every((value) => value === null))}
      legend={{ names: lines.map(({ name }) => name), hidden, onToggle }}
      table={
        <DataTable
          label={texts.retentionByDay}
          columns={columns}
          rows={days.map((day, at) => ({ at, day }))}
          rowId={({ day }) => String(day)}
        />
      }
    />
  );
}

function buildOption(
  days: readonly number[],
  lines: readonly Line[],
  hidden: ReadonlySet<string>,
  formats: Formats,
  look: Look,
) {
  const axis = axisLook(look);
  const series = lines.flatMap(({ name, values }, at): LineSeriesOption[] => {
    if (hidden.has(name)) return [];
    const points = days.flatMap((day, i) => (values[i] === null ? [] : [[day, values[i] as number]]));
    return [
      {
        type: 'line',
        name,
        data: points,
        color: look.colors[at % look.colors.length],
        symbolSize: 5,
        symbol: 'circle',
        lineStyle: { width: at === 0 ? 2.5 : 1.5 },
        emphasis: { disabled: true },
      },
    ];
  });
  return {
    grid: { left: 8, right: 24, top: 16, bottom: 20, containLabel: true },
    tooltip: {
      ...tooltipLook(look),
      trigger: 'axis' as const,
      valueFormatter: (value: unknown) =>
        formats.percent((Array.isArray(value) ? (value[1] as number) : (value as number | undefined)) ?? null),
    },
    xAxis: {
      type: 'value' as const,
      min: 0,
      max: Math.max(...days),
      name: text.dayAxis,
      nameLocation: 'middle' as const,
      nameGap: 24,
      nameTextStyle: { color: look.muted },
      ...axis,
      splitLine: { show: false },
      axisPointer: { snap: true, label: { show: false } },
    },
    yAxis: {
      type: 'value' as const,
      splitNumber: 4,
      ...axis,
      axisLine: { show: false },
      axisLabel: { ...axis.axisLabel, formatter: (value: number) => formats.short(value, 'percent') },
    },
    series,
  };
}
