/** What the collectors of app and web events share: how one event is looked at before anything is believed. */
import type { TObject } from '@sinclair/typebox';
import type { Row } from '../batch';
import { fieldErrorFinder } from '../http/validate';
import { findUnstorableText } from '../text';
import { DAY_MS } from '../time';
import type { NewRecord } from '../ingest/record';
import { isTooLarge, type EventError } from './batch';
import type { Quotas } from './quotas';

/** Who sent a batch, and when it arrived. */
export interface Sender {
  readonly projectId: number;
  /** The project's own server: it may backfill, and names the client's address itself. */
  readonly trusted: boolean;
  /** The client's own address if it is public, else empty; that of a server is nobody's. */
  readonly ip: string;
  readonly ua: string;
}

const MAX_AGE_MS = 30 * DAY_MS;

/** The event without what counts as not sent: null and empty. */
export const present = (event: Row): Row =>
  Object.fromEntries(Object.entries(event).filter(([, value]) => value !== null && value !== ''));

/**
 * A function that finds what is wrong with the form of an event: its size, its text, what is missing, then its fields
 * in the schema's order.
 */
export function formErrorFinder(schema: TObject): (event: Row) => EventError | undefined {
  const find = fieldErrorFinder(schema);
  const types: readonly unknown[] = schema.properties.type?.enum as unknown[];
  return (event) => {
    if (isTooLarge(event)) return { reason: 'too_large', field: '' };
    const broken = findUnstorableText(event);
    if (broken !== undefined) return { reason: 'invalid_field', field: broken ?? '' };
    const missing = schema.required?.find((field) => event[field] === undefined);
    if (missing) return { reason: 'missing_field', field: missing };
    if (!types.includes(event.type)) return { reason: 'unknown_type', field: 'type' };
    const field = find(event);
    return field === undefined ? undefined : { reason: 'invalid_field', field };
  };
}

/** The record of an event, or an error where the key of an app or a page has sent too many. */
export function withinQuota(
  quotas: Quotas,
  { projectId, trusted }: Sender,
  field: 'install_id' | 'visitor_id',
  event: Row,
  record: NewRecord | EventError,
): NewRecord | EventError {
  if (trusted || 'reason' in record) return record;
  return quotas.take(projectId, field, event[field] as string) ?? record;
}

/**
 * When an event happened: a time in the future is now. Undefined where it is over 30 days old and its sender must not
 * backfill.
 */
export function eventTime(time: string, now: number, { trusted }: Sender): number | undefined {
  const at = Date.parse(time);
  if (!trusted && now - at > MAX_AGE_MS) return undefined;
  return Math.min(at, now);
}
