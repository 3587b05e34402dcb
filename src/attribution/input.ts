/** Reads the parameters of the attribution endpoints (docs/contract/attribution.md). */
import { isInstant } from '../lib/validate';
import { readPage, type Page } from '../lib/page';
import { errors } from './errors';
import { usersLimits } from './schema';

export interface UsersInput {
  readonly displayId: string;
  /** In milliseconds: from the first on, before the second. */
  readonly from: number;
  readonly to: number;
  readonly page: Page;
}

/** The greatest time that ClickHouse's DateTime64 holds, and the least that an event can have. */
const END_OF_TIME = Date.UTC(2299, 11, 31);

/** A parameter sent empty counts as not sent; of a repeated one the first counts. `timezone` has no effect. */
export function readUsersInput(query: URLSearchParams): UsersInput {
  const get = (name: string) => query.get(name) || undefined;
  const displayId = get('display_id');
  if (!displayId) throw errors.displayIdMissing();
  const page = readPage(get('page'), get('limit'), usersLimits.default, usersLimits.maximum);
  return {
    displayId,
    from: readTimestamp(get('start_timestamp'), 0),
    to: readTimestamp(get('end_timestamp'), END_OF_TIME),
    page,
  };
}

/** RFC 3339 with `Z` or an offset; times that no install can have are moved to the nearest that one can. */
function readTimestamp(text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  if (!isInstant(text)) throw errors.timestamp();
  return Math.min(Math.max(Date.parse(text), 0), END_OF_TIME);
}

export interface ResultInput {
  readonly device: string | undefined;
  readonly user: string | undefined;
}

export function readResultInput(query: URLSearchParams): ResultInput {
  const device = query.get('device_identifier')?.toLowerCase() || undefined;
  const user = query.get('user_id') || undefined;
  if (!device && !user) throw errors.identifierMissing();
  return { device, user };
}
