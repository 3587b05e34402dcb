/** What applying each part of the workspace document needs. */
import type { Row } from '../db/postgres';
import { ApiError } from '../errors';
import { DAY_MS, isNoTime } from '../lib/time';

/**
 * When something was created, to the millisecond, which is what is stored: a finer time would look changed at every
 * application. What stands for no time is not given.
 *
 * @throws ApiError 400 for a time more than a day after `now`, which is no clock that is a little fast.
 */
export function readCreatedAt(text: string | undefined, field: string, now: string): string | undefined {
  if (text === undefined || isNoTime(text)) return undefined;
  if (Date.parse(text) > Date.parse(now) + DAY_MS)
    throw new ApiError(400, `${field}.created_at: must not be in the future`);
  return new Date(text).toISOString();
}

export const pick = <T extends object>(source: T, ...names: (keyof T)[]): Row =>
  Object.fromEntries(names.map((name) => [name, source[name]]));

/** Refuses a document that names one thing twice: the second would silently win. */
export function refuseDuplicates(field: string, names: readonly string[]): void {
  const seen = new Set<string>();
  const twice = names.find((name) => seen.size === seen.add(name).size);
  if (twice !== undefined) throw new ApiError(400, `${field}: ${JSON.stringify(twice)} is there twice`);
}
