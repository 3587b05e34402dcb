/** Rows of the log, and what waits, as answers (pure). */
import { encodeCursor } from '../lib/cursor';
import type { AttemptRow, PendingRow } from './queries';
import type { Replayed } from './replay';

const orNull = (text: string) => text || null;

/**
 * `project` and `partner` are their names; undefined for a partner that there is not. `side` is who looks: what the
 * other one's template has made is not for it.
 */
export const presentAttempt = (
  row: AttemptRow,
  side: 'project' | 'partner',
  project: string | undefined,
  partner: string | undefined,
) => ({
  attempted_at: row.attempted_at,
  postback_id: row.postback_id,
  attempt: row.attempt,
  kind: row.kind,
  project: row.project_id === 0 ? null : { id: row.project_id, name: project ?? null },
  partner: row.partner_id === 0 ? null : { id: row.partner_id, name: partner ?? null },
  webhook_id: row.kind === 'webhook' ? row.destination_id : null,
  event: row.event,
  install_id: orNull(row.install_id),
  tid: orNull(row.tid),
  host: row.host,
  method: orNull(row.method),
  url: orNull(side === 'project' ? row.url : row.partner_url),
  body: orNull(side === 'project' ? row.body : row.partner_body),
  macros: row.macros,
  outcome: row.outcome,
  status: row.status === 0 ? null : row.status,
  latency_ms: row.latency_ms,
  error: orNull(row.error),
  next_attempt_at: row.next_attempt_at,
  is_replay: row.is_replay === 1,
});

/** The host that has waited longest first; `most` is how many messages are counted. */
export function presentPending(rows: readonly PendingRow[], most: number) {
  const pending = rows.reduce((sum, row) => sum + row.pending, 0);
  const seconds = ({ oldest }: PendingRow) => Math.max(0, Math.round(oldest * 10) / 10);
  const [first] = rows;
  return {
    pending,
    oldest_seconds: first ? seconds(first) : null,
    hosts: rows.map((row) => ({ host: row.host, pending: row.pending, oldest_seconds: seconds(row) })),
    complete: pending < most,
  };
}

/** How many messages, and where the next request continues. */
export const presentReplayed = ({ messages, next }: Replayed, dryRun: boolean) => ({
  ...(dryRun ? { would_send: messages } : { sent: messages }),
  ...(next ? { next: encodeCursor([next.kind, next.time, next.subject]) } : {}),
});
