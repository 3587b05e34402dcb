/** Numbers in paths. */
import { ApiError } from '../errors';

/**
 * The number that a path names.
 *
 * @throws ApiError 404 for what cannot be one: there is nothing of that name.
 */
export function readId(text: string | undefined, what: string): number {
  if (!text || !/^\d{1,9}$/.test(text)) throw new ApiError(404, `${what} not found.`);
  return Number(text);
}

/** A request whose path has `{id}`. */
type WithId = { readonly params: { readonly id: string } };

/** The project that `{id}` of a path names. */
export const readProjectId = ({ params }: WithId) => readId(params.id, 'Project');
/** The partner that `{id}` of a path names. */
export const readPartnerId = ({ params }: WithId) => readId(params.id, 'Partner');
