/** Copies the audit log to ClickHouse, where data engineers read it (docs/contract/people.md). */
import type { ClickHouse } from '../db/clickhouse';
import type { Postgres } from '../db/postgres';
import { noteCopied, readUncopied } from './queries';

const BATCH = 5_000;

const COLUMNS = [
  'id',
  'at',
  'actor',
  'actor_name',
  'address',
  'changed_account_id',
  'changed_project_id',
  'changed_partner_id',
  'action',
  'subject',
  'name',
  'before',
  'after',
] as const;

/** Copies what is not there yet. A process that dies before it has noted a copy makes it again, to the same rows. */
export async function copyAuditLog(postgres: Postgres, clickhouse: ClickHouse): Promise<void> {
  for (;;) {
    const rows = await readUncopied(postgres, BATCH);
    if (rows.length === 0) return;
    const lines = rows.map((row: Record<string, unknown>) => JSON.stringify(COLUMNS.map((column) => row[column])));
    await clickhouse.insert('adtrail.audit_log', COLUMNS, lines);
    const ids = rows.map(({ id }) => id);
    await noteCopied(postgres, ids);
    if (rows.length < BATCH) return;
  }
}
