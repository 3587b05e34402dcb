/** Dated notes on a chart: a line on the day of each, and what it says in the tooltip. */
import type { LineSeriesOption } from 'echarts';
import { listBuckets, type Granularity } from '../../period';
import type { Look } from './look';

/** A note of the project. */
export interface Dated {
  readonly day: string;
  readonly text: string;
}

/** What the points of a chart are noted with, by their place. */
export type PlacedNotes = ReadonlyMap<number, readonly string[]>;

const NONE: PlacedNotes = new Map();
const LONGEST = 80;
const shorten = (text: string) => (text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text);

/** The notes by the point that their day is in; those of days that the chart does not have are left out. */
export function placeNotes(
  notes: readonly Dated[] | undefined,
  buckets: readonly string[],
  granularity: Granularity,
): PlacedNotes {
  if (!notes || notes.length === 0) return NONE;
  const places = new Map(buckets.map((bucket, at) => [bucket, at]));
  const placed = new Map<number, string[]>();
  for (const { day, text } of notes) {
    const at = places.get(listBuckets({ from: day, to: day }, granularity)[0] ?? '');
    if (at !== undefined) placed.set(at, [...(placed.get(at) ?? []), shorten(text)]);
  }
  return placed;
}

/** For the first series that is drawn. */
export const markNotes = (notes: PlacedNotes | undefined, look: Look): Pick<LineSeriesOption, 'markLine'> =>
  notes && notes.size > 0
    ? {
        markLine: {
          silent: true,
          symbol: ['none', 'circle'],
          symbolSize: 8,
          animation: false,
          label: { show: false },
          lineStyle: { color: look.muted, type: 'solid', width: 1 },
          data: [...notes.keys()].map((at) => ({ xAxis: at })),
        },
      }
    : {};

/** Lines of a tooltip. */
export const tellNotes = (notes: PlacedNotes | undefined, at: number): string[] =>
  (notes?.get(at) ?? []).map((text) => `● ${text}`);
