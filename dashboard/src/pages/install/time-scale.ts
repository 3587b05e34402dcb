/** Where a time stands on the time line: the install is at the right, what was before it at the left of it. */
import { ago } from './words';

export type ScaleName = 'log' | 'linear';

export interface TimeScale {
  /** Per cent of the width, for seconds before the install; negative ones are after it. */
  readonly at: (seconds: number) => number;
  readonly ticks: readonly { readonly at: number; readonly label: string }[];
}

const [MINUTE, HOUR, DAY] = [60, 3_600, 86_400];
const LOG_TICKS = [10, MINUTE, 10 * MINUTE, HOUR, 6 * HOUR, DAY, 7 * DAY, 30 * DAY, 90 * DAY, 365 * DAY];
const LINEAR_STEPS = [10, MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, DAY, 7 * DAY, 30 * DAY, 90 * DAY];
const MAX_LINEAR_TICKS = 6;
/** The percentage of the width for what lies after the install, where anything does. */
const AFTER = 12;
/** Room at the left of the earliest. */
const MARGIN = 1.08;
/** Labels of ticks must not lie on each other. */
const MIN_GAP = 9;

/** `seconds`: everything that must be seen, before the install (positive) or after it. */
export function timeScale(name: ScaleName, seconds: readonly number[]): TimeScale {
  const furthest = Math.max(MINUTE, ...seconds);
  const end = seconds.some((one) => one < 0) ? 100 - AFTER : 100;
  const measure = name === 'log' ? (value: number) => Math.log10(1 + value) : (value: number) => value;
  const whole = measure(furthest) * (name === 'log' ? 1 : MARGIN) + (name === 'log' ? 0.12 : 0);
  const latest = Math.max(1, ...seconds.map((one) => -one));
  const at = (value: number) =>
    value >= 0
      ? Math.max(0, end - (measure(value) / whole) * end)
      : end + (measure(-value) / measure(latest)) * (AFTER * 0.75);
  return { at, ticks: buildTicks(name, furthest, at) };
}

function buildTicks(name: ScaleName, furthest: number, at: TimeScale['at']) {
  const step = LINEAR_STEPS.find((one) => furthest / one <= MAX_LINEAR_TICKS) ?? 365 * DAY;
  const values =
    name === 'log' ? LOG_TICKS : Array.from({ length: MAX_LINEAR_TICKS }, (_, times) => (times + 1) * step);
  const ticks = [{ at: at(0), label: '' }];
  for (const value of values.filter((one) => one <= furthest)) {
    const place = at(value);
    if (place > 2 && (ticks.at(-1)?.at ?? 100) - place >= MIN_GAP) ticks.push({ at: place, label: ago(value) });
  }
  return ticks;
}
