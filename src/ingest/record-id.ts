/** IDs of records: a function of what was sent, so that a repeat has the ID of the first (docs/contract/s2s.md). */
import crypto from 'node:crypto';

/** What kind of record an ID is for: the same tid on two endpoints gives two IDs. */
export type RecordKind = 'click' | 'impression' | 'ctv_impression' | 'link_click';
export type EventKind = 'app_event' | 'web_event';

/**
 * The ID of a record as a lower-case UUID, version 8, over SHA-256.
 *
 * Every part is preceded by its length, so that no two different triples give one text. Computed here only, never in
 * SQL: stable across processes, machines, restarts and restores.
 */
export const recordId = (kind: RecordKind, campaignId: number, tid: string): string =>
  hashRecordId(kind, campaignId, tid);

/**
 * The ID of an app or web event: made like `recordId`, of the project and the sender's `event_id`. What a server key
 * sends (`trusted`) and what a public key sends never have the same ID: nobody can take the place of a server's event
 * by sending its `event_id` first.
 */
export const eventId = (kind: EventKind, projectId: number, id: string, trusted: boolean): string =>
  hashRecordId(trusted ? kind : `public_${kind}`, projectId, id);

function hashRecordId(kind: string, scope: number, name: string): string {
  const owner = String(scope);
  const hex = crypto.hash('sha256', `${kind.length}:${kind}${owner.length}:${owner}${name.length}:${name}`, 'hex');
  const variant = VARIANT[parseInt(hex.charAt(16), 16) & 3];
  const [time, clock] = [`8${hex.slice(13, 16)}`, `${variant}${hex.slice(17, 20)}`];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${time}-${clock}-${hex.slice(20, 32)}`;
}

// RFC 9562: the two highest bits of the 17th digit are 10.
const VARIANT = ['8', '9', 'a', 'b'];
