/** Batches of events: each is checked by itself, so that a bad one never blocks the good ones beside it (docs/contract.md, Collectors). */
import { ApiError } from '../errors';
import type { NewRecord, Store } from '../ingest/store';

/** Why an event is refused. */
export const REASONS = [
  'missing_field',
  'invalid_field',
  'unknown_type',
  'unknown_app',
  'too_old',
  'forbidden_field',
  'too_large',
] as const;
export type Reason = (typeof REASONS)[number];

/** What is wrong with an event, and in which of its fields. */
export interface FieldError {
  readonly reason: Reason;
  readonly field: string;
}

export interface BatchAnswer {
  /** Events that are stored now, or were already. */
  readonly accepted: number;
  readonly rejected: readonly (FieldError & { readonly index: number })[];
}

export const MAX_EVENTS = 1_000;
const MAX_EVENT_BYTES = 64 * 1024;

/**
 * The events of a body.
 *
 * @throws ApiError 400 for a body of another form, 413 for more than 1,000 events.
 */
export function readEvents(body: unknown): readonly unknown[] {
  const { events } = body as { events?: unknown };
  if (!Array.isArray(events)) throw new ApiError(400, 'events: must be an array of events');
  if (events.length > MAX_EVENTS) throw new ApiError(413, `A batch takes at most ${MAX_EVENTS} events.`);
  return events;
}

/**
 * Judges each event, stores the good ones and resolves once they are durable.
 *
 * @throws UnavailableError when not all of the good ones could be stored; the same batch again is safe.
 */
export async function storeBatch(
  events: readonly unknown[],
  validate: (event: Readonly<Record<string, unknown>>) => NewRecord | FieldError,
  store: Pick<Store, 'add'>,
): Promise<BatchAnswer> {
  const rejected: (FieldError & { index: number })[] = [];
  const outcomes = new Set<Promise<void>>();
  for (const [index, event] of events.entries()) {
    const checked = isObject(event) ? validate(event) : { reason: 'invalid_field' as const, field: '' };
    if ('reason' in checked) rejected.push({ index, reason: checked.reason, field: checked.field });
    else outcomes.add(store.add(checked));
  }
  await Promise.all(outcomes);
  return { accepted: events.length - rejected.length, rejected };
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether an event takes more than 64 kB as JSON in UTF-8. */
export function isTooLarge(event: object): boolean {
  return Buffer.byteLength(JSON.stringify(event)) > MAX_EVENT_BYTES;
}
