/**
 * Clicks with their original times, for migrations: checked for form as S2S clicks are, and stored under the same IDs.
 */
import { storeBatch, type BatchAnswer, type BatchLimits, type FieldError, type Row } from '../ingest/batch';
import type { Receipt, Receipts } from '../ingest/receipts';
import type { NewRecord, RecordStore } from '../ingest/record';
import { findUnstorableText } from '../lib/text';
import { findField, importChecks, validate, type Context, type NamedCheck } from './checks';
import { CLICK } from './definitions';
import type { Reason } from './reasons';
import { toRequest } from './input';
import { toRecord } from './row';

export const IMPORT_LIMITS = { field: 'clicks', maxRows: 10_000, container: 'request' } as const satisfies BatchLimits;

/** Why a click is refused: what S2S says of it, and `invalid_field` for a row or a field of another form. */
export const IMPORT_REASONS = [
  'invalid_field',
  'missing_c',
  'missing_tid',
  'missing_device_id',
  'invalid_device_id',
  'unreplaced_macro',
  'value_too_long',
  'invalid_click_time',
  'unknown_app',
  'unknown_domain',
  'unknown_campaign',
] as const satisfies readonly (Reason | 'invalid_field')[];

export interface ImportOptions extends Context {
  readonly receipts: Receipts;
  readonly clicks: RecordStore;
}

/**
 * Stores the good ones of at most 10,000 rows and resolves once they are durable.
 *
 * @throws UnavailableError when not all of the good ones could be stored; the same rows again are safe.
 */
export function importClicks(
  projectId: number,
  rows: readonly unknown[],
  { receipts, clicks, ...context }: ImportOptions,
): Promise<BatchAnswer> {
  const checks = importChecks(projectId);
  return storeBatch(rows, (row, receipt) => validateRow(row, receipt, checks, context), { receipts, store: clicks });
}

function validateRow(
  row: Row,
  receipt: Receipt,
  checks: readonly NamedCheck[],
  context: Context,
): NewRecord | FieldError {
  const sent = readRow(row);
  if ('reason' in sent) return sent;
  const request = toRequest(CLICK, receipt.at, sent, { source: 'import', token: '' });
  const reason = validate(request, context, checks);
  if (reason) return { reason, field: findField(reason, request) };
  return toRecord(request, receipt, '');
}

/** The values of a row by name, as the parameters of a request would be: numbers as text, null as not sent. */
function readRow(row: Row): Map<string, string> | FieldError {
  const sent = new Map<string, string>();
  for (const [name, value] of Object.entries(row)) {
    if (value === null) continue;
    if (typeof value !== 'string' && typeof value !== 'number') return { reason: 'invalid_field', field: name };
    sent.set(name, String(value));
  }
  const broken = findUnstorableText(row);
  return broken === undefined ? sent : { reason: 'invalid_field', field: broken ?? '' };
}
