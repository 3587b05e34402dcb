/** The queries behind the derivation of visitors, one function a file. Times are milliseconds since 1970. */
import type { ClickHouse } from '../db/clickhouse';
import type { Queryable, Row } from '../db/postgres';
import { readQuery } from '../db/sql';

/** Everything stored from `since` until before `until`. */
export interface Window {
  readonly since: number;
  readonly until: number;
}

/** One part of the visitors of a window, and the version of the rows that are written. */
export interface Part extends Window {
  /** The visitor before the first, and the last; empty for no bound. */
  readonly after: string;
  readonly up_to: string;
  readonly derived_at: number;
}

/** Everything stored before `until` is derived; from `checked_from` on it was `checked_events` events. */
export interface Progress extends Row {
  readonly until: number;
  readonly checked_from: number;
  readonly checked_events: number;
}

interface Checked extends Row {
  readonly events: number;
  readonly recent_events: number;
}
interface Arrived extends Checked {
  /** About so many. */
  readonly visitors: number;
}

const sql = (name: string) => readQuery('sql', `web-visitors.${name}`);
const ch = (name: string) => readQuery('clickhouse', `web-visitors.${name}`);
const texts = {
  progress: sql('progress'),
  setProgress: sql('set-progress'),
  pauseTimes: sql('pause-times'),
  arrived: ch('arrived'),
  checked: ch('checked'),
  repeats: ch('repeats'),
  sweep: ch('sweep'),
  empty: ch('empty'),
  derive: ch('derive'),
  deriveTouches: ch('derive-touches'),
  boundaries: ch('boundaries'),
  // Without its comment: it stands in the middle of a statement.
  hasArrived: ch('has-arrived')
    .replace(/^--.*$/gm, '')
    .trim(),
};

export const readProgress = async (db: Queryable) => (await db.rows<Progress>(texts.progress))[0];
export const writeProgress = (db: Queryable, { until, checked_from, checked_events }: Progress) =>
  db.rows(texts.setProgress, [until, checked_from, checked_events]);
export const readPauseTimes = async (db: Queryable) =>
  (await db.rows<{ ms: number }>(texts.pauseTimes)).map((row) => row.ms);

export const readChecked = async (db: ClickHouse, window: Window & { recent: number }) =>
  (await db.rows<Checked>(texts.checked, { ...window }))[0] as Checked;
export const readArrived = async (db: ClickHouse, window: Window & { recent: number }) =>
  (await db.rows<Arrived>(texts.arrived, { ...window }))[0] as Arrived;
export const readRepeats = async (db: ClickHouse, since: number, until: number) =>
  (await db.rows<{ id: string }>(texts.repeats, { since, until })).map((row) => row.id);
export const sweepRepeats = (db: ClickHouse, ids: readonly string[]) => db.command(texts.sweep, { ids });
export const emptyVisitors = (db: ClickHouse, ids: readonly string[], version: number) =>
  db.command(texts.empty, { ids, derived_at: version });
export const readBoundaries = async (db: ClickHouse, window: Window, every: number) =>
  (await db.rows<{ visitor_id: string }>(texts.boundaries, { ...window, every })).map((row) => row.visitor_id);

/** From the beginning of time everything has arrived, and nothing is gained by asking of whom. */
const only = (text: string, { since }: Window) =>
  text.replaceAll('{{has_arrived}}', since === 0 ? '1' : texts.hasArrived);

export const deriveTouches = (db: ClickHouse, part: Part) => db.command(only(texts.deriveTouches, part), { ...part });
export const deriveVisitors = (db: ClickHouse, part: Part, pauseTimes: readonly number[]) =>
  db.command(only(texts.derive, part), { ...part, pause_times: pauseTimes });
