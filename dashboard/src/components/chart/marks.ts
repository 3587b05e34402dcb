/** Notes on a chart: a thin line at their day, with a flag above it. */
import type { LineSeriesOption } from 'echarts';
import type { Look } from './look';

export interface Mark {
  /** The label of the axis at which it stands. */
  readonly label: string;
  readonly text: string;
}

/** As part of a series; nothing where no label of the chart has a note. */
export function markNotes(
  marks: readonly Mark[],
  labels: readonly string[],
  look: Look,
): Pick<LineSeriesOption, 'markLine'> {
  const days = [...new Set(marks.map(({ label }) => label))].filter((label) => labels.includes(label));
  if (days.length === 0) return {};
  return {
    markLine: {
      silent: true,
      symbol: 'none',
      lineStyle: { color: look.muted, type: 'dotted', width: 1 },
      label: { formatter: '⚑', color: look.muted, position: 'end' },
      data: days.map((label) => ({ xAxis: label })),
    },
  };
}
