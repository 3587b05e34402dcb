/** Which record IDs a table may hold: Bloom filters, loaded from the table and kept up with it. */
import type { ClickHouse } from '../db/clickhouse';
import { IdFilter, readIdsInto } from './id-filter';
import * as queries from './queries';
import type { RecordTable } from './queries';
import { utcDay } from './receipts';

/** A set of IDs by the two halves of their hash. It may claim an ID that it does not have, and never misses one. */
export interface KnownIds {
  /** Whether a row may have this ID that a record received on `day` would not meet in the table's key. */
  mayHold(a: number, b: number, day: string): boolean;
  /** A record of this process is stored. */
  add(a: number, b: number): void;
  /** Loads what is missing as of `now`. */
  load(now: number): Promise<void>;
}

/**
 * How long after midnight other processes may still store records of the day before: their deadline, and slow clocks.
 */
const SETTLE_MS = 20_000;
/** Beyond so many filters, one for each day of uptime, they are made into one again. */
const MAX_FILTERS = 32;

/**
 * The IDs of all other days than today. Until they are loaded, after a start and after each midnight, every ID may be
 * held: each record is looked up, which is slower and just as exact.
 */
export class IdsOfOtherDays implements KnownIds {
  private filters: IdFilter[] = [];
  /** The day for which the filters hold the IDs of every other day. */
  private loadedFor = '';

  constructor(
    private readonly db: ClickHouse,
    private readonly of: RecordTable,
  ) {}

  mayHold(a: number, b: number, day: string): boolean {
    return day !== this.loadedFor || this.filters.some((filter) => filter.has(a, b));
  }

  /** Records of today meet their repeats in the table's key. */
  add(): void {}

  async load(now: number): Promise<void> {
    const today = utcDay(now);
    if (today === this.loadedFor || now - Date.parse(today) < SETTLE_MS) return;
    const afresh = this.filters.length >= MAX_FILTERS || this.loadedFor > today;
    const since = (afresh ? '' : this.loadedFor) || '1970-01-01';
    const filter = new IdFilter(await queries.countOfOtherDays(this.db, this.of, today, since));
    await readIdsInto(filter, await queries.readIdsOfOtherDays(this.db, this.of, today, since));
    this.filters = afresh ? [filter] : [...this.filters, filter];
    this.loadedFor = today;
  }
}

/** An insert carries the time at which it began: what is read again must be longer than any insert takes. */
const OVERLAP_MS = 10_000;
const MIN_CAPACITY = 1_000_000;

/**
 * All IDs that the table holds: loaded once, then kept up with what this process stores and, every few seconds, with
 * what others have stored. Until it is loaded every ID may be held.
 */
export class IdsOfTable implements KnownIds {
  private filters: { filter: IdFilter; room: number }[] = [];
  private loadedUpTo: number | undefined;

  constructor(
    private readonly db: ClickHouse,
    private readonly of: RecordTable,
  ) {}

  mayHold(a: number, b: number): boolean {
    return this.loadedUpTo === undefined || this.has(a, b);
  }

  add(a: number, b: number): void {
    if (this.has(a, b)) return;
    let last = this.filters.at(-1);
    if (!last || last.room === 0) last = this.grow(this.filters.length * MIN_CAPACITY);
    last.filter.add(a, b);
    last.room -= 1;
  }

  async load(now: number): Promise<void> {
    const since = this.loadedUpTo === undefined ? 0 : this.loadedUpTo - OVERLAP_MS;
    if (this.loadedUpTo === undefined) this.grow(await queries.countOfRows(this.db, this.of));
    await readIdsInto(this, await queries.readIdsStoredSince(this.db, this.of, since));
    this.loadedUpTo = now;
  }

  private has(a: number, b: number): boolean {
    return this.filters.some(({ filter }) => filter.has(a, b));
  }

  /** A further filter with room for as many IDs as there are, and more. */
  private grow(count: number): { filter: IdFilter; room: number } {
    const room = Math.max(MIN_CAPACITY, 2 * count);
    const added = { filter: new IdFilter(room), room };
    this.filters.push(added);
    return added;
  }
}
