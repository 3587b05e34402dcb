/** What may be asked about the quality of partners (docs/contract/partners.md). */
import { checkDayRange, type DayRange } from '../lib/parameters';
import { rowId } from '../lib/schema';
import { dayParameter, queryParameter } from '../openapi/operation';

const MAX_DAYS = 366;

export const qualityParameters = [
  dayParameter('from', 'First day.', '2026-03-01'),
  dayParameter('to', `Last day; a range has at most ${MAX_DAYS} days.`, '2026-03-31'),
  queryParameter('partner_id', 'One partner; by default all.', rowId),
] as const;

export interface QualityInput extends DayRange {
  /** Undefined for all partners of the project. */
  readonly partner_id: number | undefined;
}

/** @throws ApiError 400 for a range of no day, or of too many. */
export function checkQualityInput(input: QualityInput): QualityInput {
  checkDayRange(input, MAX_DAYS);
  return input;
}
