/**
 * Hides what two processes stored of one record at once, in rows of different keys: each knows what it has stored
 * itself at once, and what others have within seconds. To be called again and again, by one process at a time.
 */
import type { ClickHouse } from '../db/clickhouse';
import { DAY_MS } from '../lib/time';
import { APP_EVENTS, type EventTable } from './deduplicator';
import * as queries from './queries';
import type { RecordTable } from './queries';

/** How many days back the first sweep after a start looks, for midnights at which nothing ran to sweep. */
const FIRST_SWEEP_DAYS = 7;
/** The retries that can straddle a midnight are over by then; until then every call sweeps, later some do. */
const MIDNIGHT_WINDOW_MS = 11 * 60_000;
const QUIET_MS = 20_000;
/** An insert carries the time at which it began, and has ended within this time. */
const INSERT_MS = 60_000;
/** About this many IDs are looked up at once, which bounds memory: after an import there may be many millions. */
const LOOK_UP_SIZE = 1_000_000;
/** At most this many IDs are hidden by one statement. */
const HIDE_SIZE = 10_000;

/**
 * Looks at touches again: a row that was stored after the day of its receipt may be of a record that another process
 * has stored on that later day. Resolves with how many such records were found.
 */
export class TouchSweep {
  private sweptAt: number | undefined;

  constructor(
    private readonly db: ClickHouse,
    private readonly of: RecordTable,
  ) {}

  async sweep(now: number): Promise<number> {
    const isQuiet = now % DAY_MS > MIDNIGHT_WINDOW_MS;
    if (isQuiet && this.sweptAt !== undefined && now - this.sweptAt < QUIET_MS) return 0;
    const since = this.sweptAt === undefined ? now - FIRST_SWEEP_DAYS * DAY_MS : this.sweptAt - INSERT_MS;
    const chunks = Math.ceil((await queries.countOfLate(this.db, this.of, since)) / LOOK_UP_SIZE);
    let found = 0;
    for (let chunk = 0; chunk < chunks; chunk++) {
      const ids = await queries.readLateRepeats(this.db, this.of, since, { chunks, chunk });
      for (let i = 0; i < ids.length; i += HIDE_SIZE)
        await queries.hideLaterTouches(this.db, this.of, ids.slice(i, i + HIDE_SIZE));
      found += ids.length;
    }
    this.sweptAt = now;
    return found;
  }
}

/**
 * Where an event stands on two installs or visitors, hides all but the first received. `since` is the time in
 * milliseconds from which on something is new; 0 is the first look, at what was compared as it was stored. Resolves
 * with the IDs of those events.
 */
export async function sweepEvents(db: ClickHouse, events: EventTable, since: number): Promise<readonly string[]> {
  if (since === 0) return [];
  const ids = await events.findRepeats(db, since);
  if (ids.length > 0) await events.hide(db, ids);
  return ids;
}

/** For so long after an install event was hidden a process may store another one behind it. */
const UNKNOWN_MS = 60_000;

/** Does the same for app events, and brings out install events that stand behind hidden ones (hidden-installs.ts). */
export class AppEventSweep {
  /** Since when events were hidden that another process may not know of; at a start, which may follow a kill, all. */
  private hiddenSince: number | undefined = 0;
  private hiddenAt = 0;

  constructor(private readonly db: ClickHouse) {}

  /** `since` as of `sweepEvents`, `until` the time of the look; both in milliseconds. */
  async sweep(since: number, until: number): Promise<void> {
    const hidden = await sweepEvents(this.db, APP_EVENTS, since);
    if (hidden.length > 0) {
      this.hiddenSince ??= since;
      this.hiddenAt = until;
    }
    if (this.hiddenSince === undefined) return;
    await queries.moveHiddenInstalls(this.db, this.hiddenSince);
    if (until - this.hiddenAt > UNKNOWN_MS) this.hiddenSince = undefined;
  }
}
