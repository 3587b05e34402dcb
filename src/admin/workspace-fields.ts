/** What applying each part of the workspace document needs. */
import type { Row } from '../db/postgres';
import { ApiError } from '../errors';

/** To the millisecond, which is what is stored: a finer time would look changed at every application. */
export const instant = (text: string | undefined) => text && new Date(text).toISOString();

export const pick = <T extends object>(source: T, ...names: (keyof T)[]): Row =>
  Object.fromEntries(names.map((name) => [name, source[name]]));

/** Refuses a document that names one thing twice: the second would silently win. */
export function refuseDuplicates(field: string, names: readonly string[]): void {
  const seen = new Set<string>();
  const twice = names.find((name) => seen.size === seen.add(name).size);
  if (twice !== undefined) throw new ApiError(400, `${field}: ${JSON.stringify(twice)} is there twice`);
}
