/** Reads what is asked about the quality of partners into legal values (docs/contract/partners.md). */
import { readDayRange, readWholeNumber, type DayRange } from '../lib/parameters';

export const MAX_DAYS = 366;
/** The greatest ID: PostgreSQL counts them in 32 bits. */
export const MAX_ID = 2_147_483_647;

export interface QualityInput extends DayRange {
  /** Undefined for all partners of the project. */
  readonly partnerId: number | undefined;
}

/** @throws ApiError 400 that names the parameter and the rule. */
export const readQualityInput = (query: URLSearchParams): QualityInput => ({
  ...readDayRange(query, MAX_DAYS),
  partnerId: readWholeNumber(query, 'partner_id', { min: 1, max: MAX_ID }),
});
