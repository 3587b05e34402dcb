/** What the collectors of app and web events share: how one event is looked at before anything is believed. */
import type { TObject } from '@sinclair/typebox';
import type { Row } from '../ingest/batch';
import { fieldErrorFinder, isInstant } from '../lib/validate';
import { findUnstorableText, mendText } from '../lib/text';
import { DAY_MS, isNoTime } from '../lib/time';
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
  /** What its clock showed when it sent the batch, in milliseconds; undefined where it does not say. */
  readonly sentAt: number | undefined;
}

const MAX_AGE_MS = 30 * DAY_MS;
/** How far the clock of a sender may be off before the times of its batch move. */
const CLOCK_TOLERANCE_MS = 5_000;

/** Fields that hold IDs; in `device` and `properties` there are none of ours. */
const ID_FIELD = /^(?:attribution\.)?\w+_id$|^user\.id$/;
/** What languages write for a value that is missing: as an ID it would make one of many. */
const NO_ID = /^(?:null|undefined|\(null\)|NaN|\[object Object\]|0{8}-0{4}-0{4}-0{4}-0{12})$/;

/** Whether an ID stands for none. */
export const isNoId = (value: unknown) => typeof value === 'string' && NO_ID.test(value);
const isSent = (field: string, value: unknown) =>
  value !== null && value !== '' && !(ID_FIELD.test(field) && isNoId(value));

/** Functions that read the values of fields, by the name of the field. */
export type Readers = Readonly<Record<string, (value: unknown) => unknown>>;

/**
 * The event as its fields are read, and without what counts as not sent then: null, empty, and an ID that is none. Text
 * that no engine stores is mended first, except in IDs.
 */
export function present(event: Row, readers: Readers = {}): Row {
  const mended = mendText(event, (field) => ID_FIELD.test(field));
  return Object.fromEntries(
    Object.entries(mended)
      .map(([field, value]) => [field, Object.hasOwn(readers, field) ? readers[field]?.(value) : value] as const)
      .filter(([field, value]) => isSent(field, value)),
  );
}

/** What the clock of a sender showed, from the body of a batch; undefined for what is no time. */
export function readSentAt(body: unknown): number | undefined {
  const { sent_at: sentAt } = body as Row;
  return typeof sentAt === 'string' && isInstant(sentAt) && !isNoTime(sentAt) ? Date.parse(sentAt) : undefined;
}

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
    const field = find(event) ?? (isNoTime(event.time) ? 'time' : undefined);
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
 * When an event happened, by our clock: a time moves by as much as the sender's clock is off, and one in the future is
 * now. Undefined where it is over 30 days old and its sender must not backfill, or before 1970.
 */
export function eventTime(time: string, now: number, { trusted, sentAt = now }: Sender): number | undefined {
  const isOff = Math.abs(now - sentAt) > CLOCK_TOLERANCE_MS;
  const at = Math.min(Date.parse(time) + (isOff ? now - sentAt : 0), now);
  return at <= 0 || (!trusted && now - at > MAX_AGE_MS) ? undefined : at;
}
