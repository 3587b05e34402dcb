/** Knows which record IDs are surely new: everything else is looked up before it is stored (decisions.md §4, first write wins). */
import type { ClickHouse } from '../db/clickhouse';
import { halvesOfBytes, halvesOfId, IdFilter } from './id-filter';
import { countOfOtherDays, readIdsOfOtherDays, readKnownIds, type RecordTable } from './queries';
import { utcDay } from './receipts';

/** How long after midnight other processes may still store records of the day before: their deadline, with room for slow clocks. */
const SETTLE_MS = 20_000;
/** Beyond so many filters, one for each day of uptime, they are made into one again. */
const MAX_FILTERS = 32;
const LOOKUP_SIZE = 200;
const UUID_BYTES = 16;

/**
 * A repeat on the day of its first receipt meets it in the table, by the key. A repeat on a later day is recognised
 * here: a filter holds the IDs of all other days. Until it is loaded, after a start and after each midnight, nothing is
 * surely new and every record is looked up, which is slower and just as exact.
 */
export class Ledger {
  private filters: IdFilter[] = [];
  /** The day for which the filters hold the IDs of every other day. */
  private loadedFor = '';

  constructor(private readonly db: ClickHouse, private readonly of: RecordTable) {}

  /** Whether no row of another day than `day` has this ID. */
  surelyNew(id: string, day: string): boolean {
    if (day !== this.loadedFor) return false;
    const [a, b] = halvesOfId(id);
    return !this.filters.some((filter) => filter.has(a, b));
  }

  /** Which of the IDs are stored already. */
  async known(ids: readonly string[]): Promise<Set<string>> {
    const known = new Set<string>();
    for (let i = 0; i < ids.length; i += LOOKUP_SIZE) {
      for (const id of await readKnownIds(this.db, this.of, ids.slice(i, i + LOOKUP_SIZE))) known.add(id);
    }
    return known;
  }

  /** Loads what is missing for the day of `now`, once that day is old enough; to be called again and again. */
  async keepLoaded(now: number): Promise<void> {
    const today = utcDay(now);
    if (today === this.loadedFor || now - Date.parse(today) < SETTLE_MS) return;
    const afresh = this.filters.length >= MAX_FILTERS || this.loadedFor > today;
    const since = afresh ? '' : this.loadedFor;
    const filter = await this.load(today, since || '1970-01-01');
    this.filters = afresh ? [filter] : [...this.filters, filter];
    this.loadedFor = today;
  }

  private async load(today: string, since: string): Promise<IdFilter> {
    const filter = new IdFilter(await countOfOtherDays(this.db, this.of, today, since));
    let rest: Buffer = Buffer.alloc(0);
    for await (const chunk of await readIdsOfOtherDays(this.db, this.of, today, since)) {
      const bytes = rest.length > 0 ? Buffer.concat([rest, chunk as Buffer]) : (chunk as Buffer);
      const whole = bytes.length - (bytes.length % UUID_BYTES);
      for (let offset = 0; offset < whole; offset += UUID_BYTES) filter.add(...halvesOfBytes(bytes, offset));
      rest = bytes.subarray(whole);
    }
    // A stream that broke off must not pass for a complete list.
    if (rest.length > 0) throw new Error(`The list of known IDs of ${this.of.table} broke off`);
    return filter;
  }
}
