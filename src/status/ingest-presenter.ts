/** A process that has an ingest log, as /admin/v1/ingest shows it. */
import type { ProcessRow } from '../ingest/processes';

export const presentProcess = (row: ProcessRow) => ({
  name: row.name,
  host: row.host,
  state: row.is_left_behind ? ('left_behind' as const) : ('alive' as const),
  started_at: row.started_at.toISOString(),
  published_at: row.published_at.toISOString(),
  received_up_to: row.received_up_to.toISOString(),
  backlog: row.backlog.map(({ table, rows, bytes, seconds }) => ({
    table,
    records: rows,
    bytes,
    seconds: Math.round(seconds * 1_000) / 1_000,
  })),
});

export type PresentedProcess = ReturnType<typeof presentProcess>;
