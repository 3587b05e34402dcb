/** The periods of scheduled exports: days and hours, their names and their folders (pure). */
import type { Every } from '../configuration/exports';
import { addDays, dayIn, findHour, HOUR_MS } from '../lib/time';

/** A day, `2026-11-01`, or an hour, `2026-11-01T13`: from a moment until before another, in milliseconds. */
export interface Period {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** Hours are those of UTC; days those of a time zone. */
export function readPeriod(name: string, timezone: string): Period {
  if (name.includes('T')) {
    const from = Date.parse(`${name}:00:00Z`);
    return { name, from, to: from + HOUR_MS };
  }
  return { name, from: findHour(timezone, name, 0), to: findHour(timezone, addDays(name, 1), 0) };
}

const readHour = (at: number) => new Date(at).toISOString().slice(0, 13);

/** The beginning of the period in which a moment is, as the database takes it: everything before it has ended. */
export const readBeginning = (every: Every, timezone: string, at: number) =>
  every === 'hour' ? `${readHour(at).replace('T', ' ')}:00:00` : `${dayIn(timezone, at)} 00:00:00`;

/** The name of the period in which a moment is. */
export const namePeriod = (every: Every, timezone: string, at: number) =>
  every === 'hour' ? readHour(at) : dayIn(timezone, at);

/** Where a period is written, below the folder of its kind. */
export function namePeriodFolder(name: string): string {
  const [day, hour] = name.split('T');
  return hour === undefined ? `day=${day}` : `day=${day}/hour=${hour}`;
}

export const namePart = (part: number, format: string) => `part-${String(part).padStart(3, '0')}.${format}`;

/** How many parts rows are written in: none where there are no rows. */
export const countParts = (rows: number, most: number) => Math.ceil(rows / most);

const FIRST_WAIT_MS = 30_000;
const LONGEST_WAIT_MS = 60 * 60_000;

/** How long an export waits after so many failures. */
export const readWait = (failures: number) => Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(failures, 20));
