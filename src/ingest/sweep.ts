/** Removes what two processes stored of one record on both sides of a midnight (docs/contract.md, S2S). */
import type { ClickHouse } from '../db/clickhouse';
import { sweepDay, type RecordTable } from './queries';
import { utcDay } from './receipts';

const DAY_MS = 86_400_000;
/** The retries that can straddle a midnight are over by then. */
const WINDOW_MS = 11 * 60_000;
/** How far back the first sweep after a start looks, for midnights at which nothing ran to sweep. */
const FIRST_DAYS = 7;

/** Sweeps when there is reason to; to be called every few seconds by one process at a time. */
export class Sweeper {
  private swept = false;

  constructor(
    private readonly db: ClickHouse,
    private readonly tables: readonly RecordTable[],
  ) {}

  async sweep(now: number): Promise<void> {
    if (this.swept && now % DAY_MS > WINDOW_MS) return;
    const days = this.swept ? 1 : FIRST_DAYS;
    for (let i = 0; i < days; i++) {
      for (const table of this.tables) await sweepDay(this.db, table, utcDay(now - i * DAY_MS));
    }
    this.swept = true;
  }
}
