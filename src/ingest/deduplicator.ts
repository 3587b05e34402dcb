/**
 * First write wins, for good: finds the records that are stored already, and hides what two processes stored at once.
 */
import type { ClickHouse } from '../db/clickhouse';
import { DAY_MS } from '../time';
import { halvesOfId } from './id-filter';
import { IdsOfOtherDays, IdsOfTable, type KnownIds } from './known-ids';
import * as queries from './queries';
import type { RecordTable } from './queries';
import { utcDay } from './receipts';

/** IDs that are looked up by one statement. */
const LOOKUP_SIZE = 200;
/** The retries that can straddle a midnight are over by then. */
const MIDNIGHT_WINDOW_MS = 11 * 60_000;
/** How many days back the first sweep after a start looks, for midnights at which nothing ran to sweep. */
const FIRST_SWEEP_DAYS = 7;
/** Two processes that store one event on two installs or visitors do so within this time. */
const REPEATS_WITHIN_MS = 15_000;

/** Knows which records a table holds. */
export class Deduplicator {
  constructor(
    protected readonly db: ClickHouse,
    protected readonly of: RecordTable,
    private readonly known: KnownIds,
  ) {}

  /**
   * Whether no stored row has this ID that the record, received on `day`, would not meet in the table's key. False
   * means that it has to be looked up.
   */
  isDefinitelyNew(id: string, day: string): boolean {
    return !this.known.mayHold(...halvesOfId(id), day);
  }

  /** Which of the IDs are stored already. */
  async findExisting(ids: readonly string[]): Promise<Set<string>> {
    const existing = new Set<string>();
    for (let i = 0; i < ids.length; i += LOOKUP_SIZE) {
      const found = await queries.readKnownIds(this.db, this.of, ids.slice(i, i + LOOKUP_SIZE));
      for (const id of found) existing.add(id);
    }
    return existing;
  }

  /** Told of every record that this process has stored. */
  stored(records: readonly { readonly id: string }[]): void {
    for (const { id } of records) this.known.add(...halvesOfId(id));
  }

  /** Loads the IDs that are missing as of `now`; to be called again and again. */
  keepLoaded(now: number): Promise<void> {
    return this.known.load(now);
  }
}

/**
 * Of clicks and impressions, whose key holds the UTC day of receipt: repeats on one day meet in the table, those on
 * another day are looked up.
 */
export class TouchDeduplicator extends Deduplicator {
  private swept = false;

  constructor(db: ClickHouse, of: RecordTable) {
    super(db, of, new IdsOfOtherDays(db, of));
  }

  /**
   * Hides what two processes stored of one record on both sides of a midnight. To be called every few seconds, by one
   * process at a time.
   */
  async sweepMidnight(now: number): Promise<void> {
    if (this.swept && now % DAY_MS > MIDNIGHT_WINDOW_MS) return;
    const days = this.swept ? 1 : FIRST_SWEEP_DAYS;
    for (let i = 0; i < days; i++) await queries.sweepMidnight(this.db, this.of, utcDay(now - i * DAY_MS));
    this.swept = true;
  }
}

/** A table of events, and how repeats in it that name another install or visitor are found and hidden. */
export interface EventTable extends RecordTable {
  readonly findRepeats: (db: ClickHouse, since: number) => Promise<string[]>;
  readonly sweep: (db: ClickHouse, ids: readonly string[]) => Promise<void>;
}

export const APP_EVENTS: EventTable = {
  table: 'app_events',
  idColumn: 'id',
  findRepeats: queries.readRepeatedAppEvents,
  sweep: queries.sweepAppEvents,
};
export const WEB_EVENTS: EventTable = {
  table: 'web_events',
  idColumn: 'id',
  findRepeats: queries.readRepeatedWebEvents,
  sweep: queries.sweepWebEvents,
};

/** Of events, whose key does not make every repeat meet: a repeat may name another install or visitor. */
export class EventDeduplicator extends Deduplicator {
  constructor(
    db: ClickHouse,
    private readonly events: EventTable,
  ) {
    super(db, events, new IdsOfTable(db, events));
  }

  /**
   * Hides events that two processes stored at once on two installs or visitors: all but the first received. `since` is
   * the time in milliseconds from which on something is new; 0 is the first look, at what was swept as it arrived.
   * Resolves with the IDs of those events.
   */
  async sweepRepeats(since: number): Promise<readonly string[]> {
    if (since === 0) return [];
    const ids = await this.events.findRepeats(this.db, Math.max(0, since - REPEATS_WITHIN_MS));
    if (ids.length > 0) await this.events.sweep(this.db, ids);
    return ids;
  }
}
