/** Knows which record IDs are surely new: everything else is looked up before it is stored (docs/contract.md, S2S, first write wins). */
import type { ClickHouse } from '../db/clickhouse';
import { halvesOfId, IdFilter, readIdsInto } from './id-filter';
import { countOfOtherDays, readIdsOfOtherDays, readKnownIds, type RecordTable } from './queries';
import { utcDay } from './receipts';

/** How long after midnight other processes may still store records of the day before: their deadline, with room for slow clocks. */
const SETTLE_MS = 20_000;
/** Beyond so many filters, one for each day of uptime, they are made into one again. */
const MAX_FILTERS = 32;
const LOOKUP_SIZE = 200;

/** Knows which records a table holds. */
export interface RecordLedger {
  /** Whether no row that this record would not meet in the table's key has this ID. */
  isDefinitelyNew(id: string, day: string): boolean;
  /** Which of the IDs are stored already. */
  known(ids: readonly string[]): Promise<Set<string>>;
  /** Told of every record that this process has stored. */
  stored(records: readonly { readonly id: string }[]): void;
}

/**
 * A repeat on the day of its first receipt meets it in the table, by the key. A repeat on a later day is recognised
 * here: a filter holds the IDs of all other days. Until it is loaded, after a start and after each midnight, nothing is
 * surely new and every record is looked up, which is slower and just as exact.
 */
export class Ledger implements RecordLedger {
  private filters: IdFilter[] = [];
  /** The day for which the filters hold the IDs of every other day. */
  private loadedFor = '';

  constructor(
    private readonly db: ClickHouse,
    private readonly of: RecordTable,
  ) {}

  /** Whether no row of another day than `day` has this ID. */
  isDefinitelyNew(id: string, day: string): boolean {
    if (day !== this.loadedFor) return false;
    const [a, b] = halvesOfId(id);
    return !this.filters.some((filter) => filter.has(a, b));
  }

  known(ids: readonly string[]): Promise<Set<string>> {
    return lookUp(this.db, this.of, ids);
  }

  /** Records of today meet their repeats in the table's key. */
  stored(): void {}

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
    await readIdsInto(filter, await readIdsOfOtherDays(this.db, this.of, today, since));
    return filter;
  }
}

/** Asks the table which of the IDs it holds, a few hundred at a time. */
export async function lookUp(db: ClickHouse, of: RecordTable, ids: readonly string[]): Promise<Set<string>> {
  const known = new Set<string>();
  for (let i = 0; i < ids.length; i += LOOKUP_SIZE) {
    for (const id of await readKnownIds(db, of, ids.slice(i, i + LOOKUP_SIZE))) known.add(id);
  }
  return known;
}
