/** Reads the parameters of the attribution endpoints (docs/contract/attribution.md). */
import { isInstant } from '../lib/validate';
import { toPage, type Page } from '../lib/page';
import { Type } from '../lib/schema';
import { pageParameters, queryParameter, readAs, required, type QueryValues } from '../openapi/operation';
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

const text = Type.String();
const timestampParameter = <const Name extends string>(name: Name, description: string, otherwise: number) =>
  readAs(queryParameter(name, description, Type.String({ format: 'date-time' }), '2026-03-01T00:00:00Z'), (sent) =>
    readTimestamp(sent, otherwise),
  );

export const usersParameters = [
  readAs(required(queryParameter('display_id', "The campaign's display ID.", text, 'AbC123')), (sent) => {
    if (sent === undefined) throw errors.displayIdMissing();
    return sent;
  }),
  ...pageParameters(usersLimits),
  timestampParameter('start_timestamp', 'Installs from then on.', 0),
  timestampParameter('end_timestamp', 'Installs before then.', END_OF_TIME),
  queryParameter('timezone', 'Has no effect; timestamps carry their offset.', text, 'UTC'),
] as const;

export const toUsersInput = (query: QueryValues<typeof usersParameters>): UsersInput => ({
  displayId: query.display_id,
  from: query.start_timestamp,
  to: query.end_timestamp,
  page: toPage(query),
});

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

export const resultParameters = [
  queryParameter(
    'device_identifier',
    'Google advertising ID or Apple advertising identifier, in any case.',
    text,
    '38400000-8cf0-11bd-b23e-10b96e40000d',
  ),
  queryParameter('user_id', "The user's identifier as sent at sign-up.", text, 'user-1'),
] as const;

/** @throws ApiError 400 where neither is there. */
export function toResultInput(query: QueryValues<typeof resultParameters>): ResultInput {
  const [device, user] = [query.device_identifier?.toLowerCase(), query.user_id];
  if (!device && !user) throw errors.identifierMissing();
  return { device, user };
}
