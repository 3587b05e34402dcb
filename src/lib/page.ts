/** Pages of a list: from parameters to an offset, and from a total to the pagination of the answer. */
import { ApiError } from '../errors';

export interface Page {
  readonly page: number;
  readonly limit: number;
  readonly offset: number;
}

const isWholeNumber = (text: string) => /^\d+$/.test(text);

/**
 * The page that the parameters ask for; one sent empty counts as not sent (docs/contract/main-api.md).
 *
 * @throws ApiError 422 with the texts of docs/contract/ for a page or limit out of bounds.
 */
export function readPage(
  page: string | undefined,
  limit: string | undefined,
  defaultLimit: number,
  maxLimit: number,
): Page {
  // Beyond what a number holds there is no page with anything on it, whichever it is.
  const number = page ? Math.min(Number(page), Number.MAX_SAFE_INTEGER) : 1;
  if (page && (!isWholeNumber(page) || number < 1))
    throw new ApiError(422, `Invalid page number '${page}'. Page must be a positive integer.`);
  const size = limit ? Number(limit) : defaultLimit;
  if (limit && isWholeNumber(limit) && size > maxLimit)
    throw new ApiError(422, `Limit ${limit} exceeds maximum allowed value of ${maxLimit}.`);
  if (limit && (!isWholeNumber(limit) || size < 1))
    throw new ApiError(422, `Invalid limit '${limit}'. Limit must be between 1 and ${maxLimit}.`);
  return { page: number, limit: size, offset: Math.min((number - 1) * size, Number.MAX_SAFE_INTEGER) };
}

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
