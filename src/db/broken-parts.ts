/**
 * Finds what ClickHouse has lost: parts that it could not read, for example after a loss of power, are put aside
 * without a word, and their rows are missing from then on.
 */
import type { Log } from '../lib/log';
import type { ClickHouse } from './clickhouse';
import { readNodesQuery } from './sql';

export class BrokenParts {
  /** How many there are, as of the last look; on a cluster those of all nodes. */
  count = 0;
  /** The tables that they belong to. */
  tables: readonly string[] = [];
  private told = '';

  constructor(
    private readonly db: ClickHouse,
    private readonly cluster: string | undefined,
    private readonly log: Log,
  ) {}

  /** To be called at the start and every hour. */
  async look(): Promise<void> {
    const rows = await this.db.rows<{ table: string; parts: number; names: string }>(
      readNodesQuery('storage.broken-parts', this.cluster),
    );
    this.count = rows.reduce((sum, { parts }) => sum + parts, 0);
    this.tables = rows.map(({ table }) => table);
    const found = rows.map(({ table, parts, names }) => `${parts} of ${table} (${names})`).join('; ');
    if (found !== '' && found !== this.told)
      this.log.error(`ClickHouse has put broken parts aside, whose rows are missing: ${found}`);
    this.told = found;
  }
}
