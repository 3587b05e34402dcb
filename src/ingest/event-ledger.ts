/** Knows every ID of an event table, whose key does not make repeats meet: a repeat may name another install or visitor. */
import type { ClickHouse } from '../db/clickhouse';
import { halvesOfId, IdFilter, readIdsInto } from './id-filter';
import { lookUp, type RecordLedger } from './ledger';
import { countOfRows, readIdsStoredSince, type RecordTable } from './queries';

/** An insert carries the time at which it began: what is read again must be longer than any insert takes. */
const OVERLAP_MS = 10_000;
const MIN_CAPACITY = 1_000_000;

/**
 * A filter of all IDs that the table holds: loaded once, then kept up with what this process stores and, every few
 * seconds, with what others have stored. Until it is loaded every event is looked up, which is slower and just as exact.
 * Two processes that store one ID on two entities within those seconds leave a repeat for the sweep.
 */
export class EventLedger implements RecordLedger {
  private filters: { filter: IdFilter; room: number }[] = [];
  private loadedUpTo: number | undefined;

  constructor(
    private readonly db: ClickHouse,
    private readonly of: RecordTable,
  ) {}

  isDefinitelyNew(id: string): boolean {
    if (this.loadedUpTo === undefined) return false;
    const [a, b] = halvesOfId(id);
    return !this.filters.some(({ filter }) => filter.has(a, b));
  }

  known(ids: readonly string[]): Promise<Set<string>> {
    return lookUp(this.db, this.of, ids);
  }

  stored(records: readonly { readonly id: string }[]): void {
    for (const { id } of records) this.add(...halvesOfId(id));
  }

  /** Loads what is missing as of `now`; to be called again and again. */
  async keepLoaded(now: number): Promise<void> {
    const since = this.loadedUpTo === undefined ? 0 : this.loadedUpTo - OVERLAP_MS;
    if (this.loadedUpTo === undefined) this.grow(await countOfRows(this.db, this.of));
    await readIdsInto({ add: (a, b) => this.add(a, b) }, await readIdsStoredSince(this.db, this.of, since));
    this.loadedUpTo = now;
  }

  private add(a: number, b: number): void {
    if (this.filters.some(({ filter }) => filter.has(a, b))) return;
    let last = this.filters.at(-1);
    if (!last || last.room === 0) last = this.grow(this.filters.length * MIN_CAPACITY);
    last.filter.add(a, b);
    last.room -= 1;
  }

  /** A further filter with room for as many IDs as there are, and more. */
  private grow(count: number): { filter: IdFilter; room: number } {
    const room = Math.max(MIN_CAPACITY, 2 * count);
    const added = { filter: new IdFilter(room), room };
    this.filters.push(added);
    return added;
  }
}
