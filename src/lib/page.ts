/** Pages of a list: from parameters to an offset, and from a total to the pagination of the answer. */
import { ApiError } from '../errors';

export interface Page {
  readonly page: number;
  readonly limit: number;
  readonly offset: number;
}

const isWholeNumber = (text: string) => /^\d+$/.test(text);

/**
 * The number of the page that `page` asks for.
 *
 * @throws ApiError 422 with the text of docs/contract/main-api.md.
 */
export function readPageNumber(page: string | undefined): number {
  if (page === undefined) return 1;
  if (!isWholeNumber(page) || Number(page) < 1)
    throw new ApiError(422, `Invalid page number '${page}'. Page must be a positive integer.`);
  // Beyond what a number holds there is no page with anything on it, whichever it is.
  return Math.min(Number(page), Number.MAX_SAFE_INTEGER);
}

/**
 * How many items `limit` asks for.
 *
 * @throws ApiError 422 with the texts of docs/contract/main-api.md.
 */
export function readPageSize(limit: string | undefined, defaultLimit: number, maxLimit: number): number {
  if (limit === undefined) return defaultLimit;
  if (isWholeNumber(limit) && Number(limit) > maxLimit)
    throw new ApiError(422, `Limit ${limit} exceeds maximum allowed value of ${maxLimit}.`);
  if (!isWholeNumber(limit) || Number(limit) < 1)
    throw new ApiError(422, `Invalid limit '${limit}'. Limit must be between 1 and ${maxLimit}.`);
  return Number(limit);
}

/** The page that these parameters ask for. */
export const toPage = ({ page, limit }: Omit<Page, 'offset'>): Page => ({
  page,
  limit,
  offset: Math.min((page - 1) * limit, Number.MAX_SAFE_INTEGER),
});

export interface Pagination {
  readonly total: number;
  readonly pages: number;
  readonly page: number;
  readonly limit: number;
}

export const presentPagination = (total: number, { page, limit }: Page): Pagination => ({
  total,
  pages: Math.ceil(total / limit),
  page,
  limit,
});
