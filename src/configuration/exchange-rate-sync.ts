/** Copies exchange rates to ClickHouse, where reports convert money. */
import type { ClickHouse } from '../db/clickhouse';
import type { Postgres } from '../db/postgres';
import { readQuery } from '../db/sql';
import { copyRows } from './copy-rows';
import { readRevision } from './queries';

const digestQuery = readQuery('sql', 'configuration.exchange-rates-digest');
const ratesQuery = readQuery('sql', 'configuration.exchange-rates');
const COLUMNS = ['currency', 'date', 'usd', 'revision'] as const;

/** Keeps the rates in ClickHouse as they are in PostgreSQL. Safe to run anywhere, any time, twice: the greatest revision counts. */
export class ExchangeRateSync {
  private revision = -1;
  private digest: string | undefined;

  constructor(
    private readonly postgres: Postgres,
    private readonly clickhouse: ClickHouse,
  ) {}

  /** Copies what has changed since the last call; afterwards every rate of before the call is in force. */
  async refresh(): Promise<void> {
    const revision = await readRevision(this.postgres);
    if (revision === this.revision) return;
    // Most changes of the configuration concern something else.
    const digest = (await this.postgres.rows<{ digest: string }>(digestQuery))[0]?.digest;
    if (digest !== this.digest)
      await copyRows(this.clickhouse, 'adtrail.exchange_rates', COLUMNS, await this.postgres.rows(ratesQuery));
    this.revision = revision;
    this.digest = digest;
  }
}
