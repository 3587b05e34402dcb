/**
 * Everything that is sent in bulk follows one protocol: each row is checked separately, so that a bad one never blocks
 * the good ones beside it; the answer counts the accepted rows and names each rejected one by its index.
 */
import { ApiError } from '../errors';
import type { Receipt, SharedReceipt } from './receipts';
import { isTooDeep } from '../lib/text';
import { Slice } from '../lib/slices';

/** What is wrong with a row, and in which of its fields; empty for the row as a whole. */
export interface FieldError<Reason extends string = string> {
  readonly reason: Reason;
  readonly field: string;
}

export type Rejection<Reason extends string = string> = FieldError<Reason> & { readonly index: number };

export interface BatchAnswer<Reason extends string = string> {
  /** Rows that are stored now, or were already. */
  readonly accepted: number;
  readonly rejected: readonly Rejection<Reason>[];
}

/** Rows that have been checked. */
export interface Batch<T, Reason extends string> {
  readonly good: readonly { readonly index: number; readonly value: T }[];
  /** In the order of their indexes. */
  readonly rejected: readonly Rejection<Reason>[];
}

export type Row = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Where the rows of a body are, and how many one request may have. */
export interface BatchLimits {
  readonly field: 'events' | 'rows' | 'clicks';
  readonly maxRows: number;
  readonly container: 'batch' | 'request';
}

/**
 * The rows of a body, whatever they are.
 *
 * @throws ApiError 400 for a body of another form, 413 for too many rows.
 */
export function readBatch(body: unknown, limits: BatchLimits): readonly unknown[] {
  const { field } = limits;
  const rows = (body as Row)[field];
  if (!Array.isArray(rows)) throw new ApiError(400, `${field}: must be an array of ${field}`);
  return requireMaxRows(rows, limits);
}

/** @throws ApiError 413 for too many rows. */
export function requireMaxRows(
  rows: readonly unknown[],
  { field, maxRows, container }: BatchLimits,
): readonly unknown[] {
  if (rows.length > maxRows) throw new ApiError(413, `A ${container} takes at most ${maxRows} ${field}.`);
  return rows;
}

/**
 * Checks each row: `validate` turns it into a value to store, or says what is wrong with it. A row that is nested too
 * deeply is none.
 */
export async function checkRows<T extends object, Reason extends string>(
  rows: readonly unknown[],
  validate: (row: Row) => T | FieldError<Reason>,
): Promise<Batch<T, Reason | 'invalid_field'>> {
  const good: { index: number; value: T }[] = [];
  const rejected: Rejection<Reason | 'invalid_field'>[] = [];
  const slice = new Slice();
  for (const [index, row] of rows.entries()) {
    await slice.rest();
    const checked =
      isObject(row) && !isTooDeep(row) ? validate(row) : ({ reason: 'invalid_field', field: '' } as const);
    if ('reason' in checked) rejected.push({ index, reason: checked.reason, field: checked.field });
    else good.push({ index, value: checked });
  }
  return { good, rejected };
}

/** Checks the good rows of a batch once more, against what could only be looked up for all of them together. */
export function checkAgain<T, Reason extends string>(
  { good, rejected }: Batch<T, Reason>,
  findError: (value: T) => FieldError<Reason> | undefined,
): Batch<T, Reason> {
  const checked = good.map((row) => ({ row, error: findError(row.value) }));
  const refused = checked.flatMap(({ row: { index }, error }) => (error ? [{ index, ...error }] : []));
  return {
    good: checked.filter(({ error }) => !error).map(({ row }) => row),
    rejected: [...rejected, ...refused].sort((a, b) => a.index - b.index),
  };
}

export const answerBatch = <Reason extends string>({
  good,
  rejected,
}: Batch<unknown, Reason>): BatchAnswer<Reason> => ({
  accepted: good.length,
  rejected,
});

/** Where the records of a batch go. */
export interface BatchStore<T> {
  readonly receipts: { together(): SharedReceipt };
  readonly store: { add(record: T): Promise<void> };
}

/**
 * Checks the rows, stores the good ones and resolves once they are accepted.
 *
 * @throws UnavailableError when not all of the good ones could be stored; the same batch again is safe.
 */
export async function storeBatch<T extends object, Reason extends string>(
  rows: readonly unknown[],
  validate: (row: Row, receipt: Receipt) => T | FieldError<Reason>,
  { receipts, store }: BatchStore<T>,
): Promise<BatchAnswer<Reason | 'invalid_field'>> {
  const receipt = receipts.together();
  try {
    const batch = await checkRows(rows, (row) => validate(row, receipt.next()));
    // Added together, so that they share a write. Records of one write share a promise.
    const accepted = new Set(batch.good.map(({ value }) => store.add(value)));
    receipt.close();
    await Promise.all(accepted);
    return answerBatch(batch);
  } finally {
    receipt.close();
  }
}
