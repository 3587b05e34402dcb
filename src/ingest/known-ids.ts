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
  /** A record of this process, received on `day`, is stored. */
  add(a: number, b: number, day: string): void;
  /** Loads what is missing as of `now`. */
  load(now: number): Promise<void>;
}

/** How long after midnight most records of the day before are stored; those that come later are loaded one by one. */
const SETTLE_MS = 20_000;
/** Beyond this many filters, one for each day of uptime, they are made into one again. */
const MAX_FILTERS = 32;
/** An insert carries the time at which it began: what is read again must be longer than any insert takes. */
const OVERLAP_MS = 30_000;
const MIN_CAPACITY = 1_000_000;
/** What is stored after the day of its receipt is little, unless ClickHouse was away over midnight. */
const LATE_CAPACITY = 100_000;

/** Filters, each with room for as many IDs as all before it and more. */
class GrowingFilter {
  private readonly filters: { filter: IdFilter; room: number }[] = [];

  constructor(private readonly minCapacity: number) {}

  has(a: number, b: number): boolean {
    return this.filters.some(({ filter }) => filter.has(a, b));
  }

  add(a: number, b: number): void {
    if (this.has(a, b)) return;
    let last = this.filters.at(-1);
    if (!last || last.room === 0) last = this.grow(this.filters.length * this.minCapacity);
    last.filter.add(a, b);
    last.room -= 1;
  }

  /** A further filter with room for twice as many IDs. */
  grow(count: number): { filter: IdFilter; room: number } {
    const room = Math.max(this.minCapacity, 2 * count);
    const added = { filter: new IdFilter(room), room };
    this.filters.push(added);
    return added;
  }
}

/**
 * The IDs of all other days than today. Until they are loaded, after a start and after each midnight, every ID may be
 * held: each record is looked up, which is slower and just as exact.
 */
export class IdsOfOtherDays implements KnownIds {
  private filters: IdFilter[] = [];
  /** The IDs of records that were stored after the day of their receipt. */
  private late = new GrowingFilter(LATE_CAPACITY);
  /** The day for which the filters hold the IDs of every other day. */
  private loadedFor = '';
  private loadedAt = 0;

  constructor(
    private readonly db: ClickHouse,
    private readonly of: RecordTable,
  ) {}

  mayHold(a: number, b: number, day: string): boolean {
    return day !== this.loadedFor || this.late.has(a, b) || this.filters.some((filter) => filter.has(a, b));
  }

  /** Records of today meet their repeats in the table's key. */
  add(a: number, b: number, day: string): void {
    if (day !== this.loadedFor) this.late.add(a, b);
  }

  async load(now: number): Promise<void> {
    const today = utcDay(now);
    if (today === this.loadedFor) return this.loadLate(now, today);
    if (now - Date.parse(today) < SETTLE_MS) return;
    const afresh = this.filters.length >= MAX_FILTERS || this.loadedFor > today;
    const since = (afresh ? '' : this.loadedFor) || '1970-01-01';
    const filter = new IdFilter(await queries.countOfOtherDays(this.db, this.of, today, since));
    await readIdsInto(filter, await queries.readIdsOfOtherDays(this.db, this.of, today, since));
    if (afresh) this.late = new GrowingFilter(LATE_CAPACITY);
    this.filters = afresh ? [filter] : [...this.filters, filter];
    this.loadedFor = today;
    this.loadedAt = now;
  }

  /** What another process has stored of other days meanwhile: its log may have waited for days. */
  private async loadLate(now: number, today: string): Promise<void> {
    const since = this.loadedAt - OVERLAP_MS;
    await readIdsInto(this.late, await queries.readIdsStoredLate(this.db, this.of, today, since));
    this.loadedAt = now;
  }
}

/**
 * All IDs that the table holds: loaded once, then kept up with what this process stores and, every few seconds, with
 * what others have stored. Until it is loaded every ID may be held.
 */
export class IdsOfTable implements KnownIds {
  private readonly ids = new GrowingFilter(MIN_CAPACITY);
  private loadedUpTo: number | undefined;

  constructor(
    private readonly db: ClickHouse,
    private readonly of: RecordTable,
  ) {}

  mayHold(a: number, b: number): boolean {
    return this.loadedUpTo === undefined || this.ids.has(a, b);
  }

  add(a: number, b: number): void {
    this.ids.add(a, b);
  }

  async load(now: number): Promise<void> {
    const since = this.loadedUpTo === undefined ? 0 : this.loadedUpTo - OVERLAP_MS;
    if (this.loadedUpTo === undefined) this.ids.grow(await queries.countOfRows(this.db, this.of));
    await readIdsInto(this.ids, await queries.readIdsStoredSince(this.db, this.of, since));
    this.loadedUpTo = now;
  }
}
