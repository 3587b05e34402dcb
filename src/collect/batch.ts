/** What the collectors take in one request, and why they refuse a row (docs/contract/collectors.md). */
import type { BatchLimits, FieldError } from '../ingest/batch';

/** Why an event is refused. */
export const REASONS = [
  'missing_field',
  'invalid_field',
  'unknown_type',
  'unknown_app',
  'too_old',
  'forbidden_field',
  'too_large',
  'over_quota',
] as const;
export type Reason = (typeof REASONS)[number];
export type EventError = FieldError<Reason>;

export const EVENT_LIMITS = { field: 'events', maxRows: 1_000, container: 'batch' } as const satisfies BatchLimits;
const MAX_EVENT_BYTES = 64 * 1024;

/** Whether an event takes more than 64 kB as JSON in UTF-8. */
export const isTooLarge = (event: object) => Buffer.byteLength(JSON.stringify(event)) > MAX_EVENT_BYTES;
