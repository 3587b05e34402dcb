/**
 * Keeps the configuration in ClickHouse for queries that need windows, switches, names, time zones and exchange
 * rates.
 */
import { Mutex } from 'async-mutex';
import type { ClickHouse } from '../db/clickhouse';
import type { Postgres, Queryable, Row } from '../db/postgres';
import { readQuery } from '../db/sql';
import { readRevision } from './queries';

const BATCH = 10_000;

/** Read whole at every change of the configuration: these tables are small. What has changed is copied. */
const SMALL_TABLES = [
  {
    table: 'projects',
    columns: [
      'project_id',
      'name',
      'timezone',
      'currency',
      'click_window_days',
      'ip_click_window_hours',
      'view_window_hours',
      'ctv_window_hours',
      'reinstall_window_days',
      'inactivity_days',
      'revision',
    ],
    text: readQuery('sql', 'configuration.copied-projects'),
  },
  {
    table: 'partner_switches',
    columns: [
      'project_id',
      'partner_id',
      's2s_clicks',
      's2s_traffic',
      'view_through',
      'ctv_apps',
      'view_window_hours',
      'revision',
    ],
    text: readQuery('sql', 'configuration.copied-switches'),
  },
] as const;

const CAMPAIGNS = {
  columns: [
    'campaign_id',
    'project_id',
    'display_id',
    'name',
    'partner_id',
    'partner_name',
    'network',
    'custom_channel',
    'network_campaign_id',
    'utm_ids',
    'web_to_app',
    'active',
    'deleted',
    'layout',
    'revision',
  ],
  changed: readQuery('sql', 'configuration.changed-campaigns'),
  copiedRevision: readQuery('clickhouse', 'configuration.copied-revision'),
} as const;

const EXCHANGE_RATES = {
  columns: ['currency', 'date', 'usd', 'revision'],
  all: readQuery('sql', 'configuration.exchange-rates'),
  digest: readQuery('sql', 'configuration.exchange-rates-digest'),
} as const;

interface ProjectRow extends Row {
  readonly project_id: number;
  readonly partner_id?: number;
  readonly revision: number;
}

const rowKey = (table: string, row: ProjectRow) => `${table} ${row.project_id} ${row.partner_id ?? ''}`;

/** The tables that hold nothing else than copies. */
export const COPIED_TABLES: readonly string[] = [
  ...SMALL_TABLES.map(({ table }) => table),
  'campaigns',
  'exchange_rates',
];

/** Safe to run anywhere, any time, twice: of two rows with one key the one of the greater revision counts. */
export class ClickHouseConfigSync {
  /** The revision of the configuration that is in ClickHouse, as far as this process knows. */
  private copied = -1;
  /** The greatest revision of a campaign that this process has found or put there. */
  private copiedCampaigns: number | undefined;
  private readonly turns = new Mutex();
  private ratesDigest: string | undefined;
  /** The rows of the small tables as they were copied last, by table and key. */
  private readonly rows = new Map<string, string>();
  /** Projects whose configuration has been copied since `onChanged` was last called. */
  private readonly changed = new Set<number>();
  /** Called with the projects whose configuration is in ClickHouse as it is now; all of them after a start. */
  onChanged: (projectIds: readonly number[]) => Promise<void> = () => Promise.resolve();

  constructor(
    private readonly postgres: Postgres,
    private readonly clickhouse: ClickHouse,
  ) {}

  /** Copies what has changed since the last call; afterwards the configuration of before the call is in ClickHouse. */
  async sync(): Promise<void> {
    await this.turns.runExclusive(() => this.copy());
    if (this.changed.size === 0) return;
    const changed = [...this.changed];
    await this.onChanged(changed);
    for (const id of changed) this.changed.delete(id);
  }

  private async copy(): Promise<void> {
    if ((await readRevision(this.postgres)) === this.copied) return;
    await this.postgres.session(async (db) => {
      await db.rows('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      const revision = await readRevision(db);
      await this.copyAll(db, revision);
      await db.rows('COMMIT');
      this.copied = revision;
    });
  }

  private async copyAll(db: Queryable, revision: number): Promise<void> {
    // Another process may have copied a revision in between, in which a row was not what this one has noted of it.
    const isNext = revision === this.copied + 1;
    for (const { table, columns, text } of SMALL_TABLES) {
      const rows = await db.rows<ProjectRow>(text);
      const copied = isNext ? rows.filter((row) => !this.isNoted(table, row)) : rows;
      await this.insert(
        table,
        columns,
        copied.map((row) => ({ ...row, revision })),
      );
      for (const row of copied) this.noteRow(table, row);
    }
    this.copiedCampaigns ??= (await this.clickhouse.rows<{ revision: number }>(CAMPAIGNS.copiedRevision))[0]?.revision;
    const copied = this.copiedCampaigns ?? 0;
    const campaigns = await db.rows<ProjectRow>(CAMPAIGNS.changed, [copied]);
    await this.insert('campaigns', CAMPAIGNS.columns, campaigns);
    for (const { project_id, revision: changedAt } of campaigns) if (changedAt > copied) this.changed.add(project_id);
    this.copiedCampaigns = campaigns.at(-1)?.revision ?? copied;
    await this.copyRates(db);
  }

  private isNoted(table: string, row: ProjectRow): boolean {
    return this.rows.get(rowKey(table, row)) === JSON.stringify(row);
  }

  private noteRow(table: string, row: ProjectRow): void {
    if (this.isNoted(table, row)) return;
    this.rows.set(rowKey(table, row), JSON.stringify(row));
    this.changed.add(row.project_id);
  }

  /** Most changes of the configuration concern something else than exchange rates, of which there may be many. */
  private async copyRates(db: Queryable): Promise<void> {
    const digest = (await db.rows<{ digest: string }>(EXCHANGE_RATES.digest))[0]?.digest;
    if (digest === this.ratesDigest) return;
    await this.insert('exchange_rates', EXCHANGE_RATES.columns, await db.rows(EXCHANGE_RATES.all));
    this.ratesDigest = digest;
  }

  /** In the order of the rows: where that is ascending revision, a copy that breaks off continues where it stopped. */
  private async insert(table: string, columns: readonly string[], rows: readonly Row[]): Promise<void> {
    for (let i = 0; i < rows.length; i += BATCH) {
      const lines = rows.slice(i, i + BATCH).map((row) => JSON.stringify(columns.map((column) => row[column])));
      await this.clickhouse.insert(`adtrail.${table}`, columns, lines);
    }
  }
}
