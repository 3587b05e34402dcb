/** Copies the audit log to ClickHouse, where data engineers read it (docs/contract/people.md). */
import type { ClickHouse } from '../db/clickhouse';
import type { Postgres } from '../db/postgres';
import type { Row } from '../ingest/record';
import { rowEncoder } from '../ingest/row-encoder';
import { noteCopied, readUncopied } from './queries';

const BATCH = 5_000;

const { columns, encode } = rowEncoder([
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
]);

/** Copies what is not there yet. A process that dies before it has noted a copy makes it again, to the same rows. */
export async function copyAuditLog(postgres: Postgres, clickhouse: ClickHouse): Promise<void> {
  for (;;) {
    const rows = await readUncopied(postgres, BATCH);
    if (rows.length === 0) return;
    await clickhouse.insert(
      'adtrail.audit_log',
      columns,
      rows.map((row) => encode(row as Row<(typeof columns)[number]>)),
    );
    const ids = rows.map(({ id }) => id);
    await noteCopied(postgres, ids);
    if (rows.length < BATCH) return;
  }
}
