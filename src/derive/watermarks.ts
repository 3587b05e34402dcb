/** How far a materialization has come: in memory, and in PostgreSQL for restarts and for other processes. */
import type { Queryable } from '../db/postgres';
import type { Changes, InsertLog, Inserts } from './change-tracker';
import type { FactTable } from '../tables/derivations';
import type { Materialization } from './materialization';
import { readWatermarkRow, writeSettled, writeWatermarkRow, type WatermarkRow } from './queries';

/**
 * An insert carries the time at which it began, and is visible when it ends: longer ago than this every insert has
 * ended. Until then its time is looked at again.
 */
export const OVERLAP_MS = 60_000;

/** What one process knows of the progress of one materialization. */
export class Progress {
  /** Everything stored up to here (milliseconds of ClickHouse's clock), and visible then, is taken in. */
  watermark = 0;
  /** As of what this process has taken in. */
  private settled = 0;
  /** The same as PostgreSQL has it. */
  private told = 0;
  /** How far another process has come that holds the lock. */
  private elsewhere: Pick<WatermarkRow, 'watermark' | 'settled'> = { watermark: 0, settled: 0 };
  /** What is taken in of the time since `watermark - OVERLAP_MS`; undefined while that is not known. */
  private seen: ReadonlyMap<FactTable, Inserts> | undefined;

  constructor(private readonly of: Pick<Materialization, 'name' | 'sources'>) {}

  /** Up to when everything is taken in, by whichever process. */
  get latest(): number {
    return Math.max(this.watermark, this.elsewhere.watermark);
  }

  /** Up to this receipt time, in milliseconds, everything accepted is taken in, by whichever process. */
  get settledUpTo(): number {
    return Math.max(this.settled, this.elsewhere.settled);
  }

  /** Up to this receipt time, in milliseconds, PostgreSQL says that everything accepted is taken in. */
  get toldUpTo(): number {
    return Math.max(this.told, this.elsewhere.settled);
  }

  /** From which time on, in milliseconds, inserts have to be looked at. */
  get lookFrom(): number {
    return Math.max(0, this.watermark - OVERLAP_MS);
  }

  /** `settled` is up to which receipt time what this comes after is complete. */
  changesIn(log: InsertLog, settled = Infinity): Changes {
    const tables = new Map(
      this.of.sources.map((table) => [
        table,
        log.findChanges(table, this.seen?.get(table) ?? new Map<number, number>(), this.lookFrom),
      ]),
    );
    return {
      until: log.until,
      settled: Math.min(log.settled, settled),
      of: (table) => {
        const changes = tables.get(table);
        if (!changes) throw new Error(`${this.of.name} does not name ${table} among its sources`);
        return changes;
      },
    };
  }

  hasChangesIn(log: InsertLog): boolean {
    const changes = this.changesIn(log);
    return this.of.sources.some((table) => changes.of(table).rows > 0);
  }

  /** Everything in the log is taken in. */
  advance(log: InsertLog): void {
    if (log.until < this.watermark) return;
    this.advanceTo(log.until, log);
    this.settled = Math.max(this.settled, log.settled);
  }

  /** Everything in the log that was stored up to `through` is taken in. */
  advanceTo(through: number, log: InsertLog): void {
    if (through < this.watermark) return;
    this.watermark = through;
    const taken = (inserts: Inserts) => new Map([...inserts].filter(([at]) => through === log.until || at <= through));
    this.seen = new Map(
      this.of.sources.flatMap((table) => {
        const inserts = log.of(table);
        return inserts ? [[table, taken(inserts)]] : [];
      }),
    );
  }

  /** Everything received up to a time is taken in, though more of what was stored is to come. */
  settle(receivedAt: number): void {
    this.settled = Math.max(this.settled, receivedAt);
  }

  /** Writes to PostgreSQL how far this process has come, by the log that it works on; or reads who has come further. */
  async store(db: Queryable, log: InsertLog): Promise<void> {
    const { watermark } = this;
    const recent = this.of.sources.map((table) => [
      table,
      log.rowsBetween(table, watermark - OVERLAP_MS, watermark) ?? null,
    ]);
    const { settled } = this;
    const counts = JSON.stringify(Object.fromEntries(recent));
    const written = await writeWatermarkRow(db, this.of.name, watermark, counts, settled);
    if (written.length > 0) this.told = settled;
    else await this.lookElsewhere(db);
  }

  /**
   * Writes only up to which receipt time everything is taken in. `store` would say that of the log is what is not:
   * rows that have become visible late, and are not decided.
   */
  async storeSettled(db: Queryable): Promise<void> {
    const { settled } = this;
    await writeSettled(db, this.of.name, settled);
    this.told = settled;
  }

  /**
   * Takes over what another process has done since, or this one before it was started. Resolves with whether the log
   * was read after that: one that was read before it holds nothing that is not taken in.
   */
  async synchronize(db: Queryable, log: InsertLog): Promise<boolean> {
    const [row] = await readWatermarkRow(db, this.of.name);
    if (row) this.elsewhere = row;
    this.settle(row?.settled ?? 0);
    if (!row || (this.seen && row.watermark === this.watermark)) return true;
    if (row.watermark >= log.until) return false;
    if (row.watermark < this.watermark) return true;
    const [from, to] = [row.watermark - OVERLAP_MS, row.watermark];
    const taken = this.of.sources.map((table) => {
      const known = log.rowsBetween(table, from, to) === row.recent_rows[table];
      // As many rows as there were then: nothing has become visible late. Else all of that time is taken in again.
      return [table, new Map(known ? [...(log.of(table) ?? [])].filter(([at]) => at <= to) : [])] as const;
    });
    this.watermark = row.watermark;
    this.seen = new Map(taken);
    return true;
  }

  /** What was written last may not be there: its transaction has failed. */
  forgetTold(): void {
    this.told = 0;
  }

  /** Takes note of how far another process has come, without taking over. */
  async lookElsewhere(db: Queryable): Promise<void> {
    const [row] = await readWatermarkRow(db, this.of.name);
    if (row) this.elsewhere = row;
  }

  /** Where another process or a former run of this one stopped; 0 before the first run. */
  async load(db: Queryable): Promise<void> {
    const [row] = await readWatermarkRow(db, this.of.name);
    if (row && row.watermark > this.watermark) this.watermark = row.watermark;
  }
}
