/** Reads the parameters of the list of installs (docs/contract/attribution.md). */
import { decodeCursor, encodeCursor, isWhole } from '../lib/cursor';
import { checkDayRange, wrong } from '../lib/parameters';
import { Type, withDefault } from '../lib/schema';
import { findUnstorableText } from '../lib/text';
import { FIRST_DAY, LAST_DAY, storableDay } from '../lib/time';
import { limitParameter, queryParameter, readAs, type QueryValues } from '../openapi/operation';
import { LIMITS } from './schema';

/** The place of an install in the list: the page begins after it. */
export interface Place {
  readonly installedMs: number;
  readonly installId: string;
}

/** In milliseconds: later than every install. */
export const END_OF_TIME = Date.UTC(2299, 11, 31);

const day = Type.String({ format: 'date' });

export const listParameters = [
  queryParameter(
    'search',
    'ID of an install, advertising ID in any case, or identifier of a user.',
    withDefault(Type.String({ maxLength: LIMITS.search }), ''),
  ),
  queryParameter('from', "First day of installs, in the project's time zone.", day, '2026-01-01'),
  queryParameter('to', 'Last day.', day),
  queryParameter('display_id', 'Campaign that is credited.', Type.String({ maxLength: LIMITS.displayId })),
  queryParameter('partner_id', 'Partner that is credited.', Type.Integer({ minimum: 1, maximum: 0xffffffff })),
  queryParameter('organic', '`true`: organic installs only; `false`: all others.', Type.Boolean()),
  queryParameter('suspicious', '`true`: suspicious installs only; `false`: all others.', Type.Boolean()),
  limitParameter(LIMITS, 'Installs on a page.'),
  readAs(queryParameter('before', '`next_before` of the page before.', Type.String()), (sent) =>
    sent === undefined ? undefined : readPlace(sent),
  ),
] as const;

export type ListInput = ReturnType<typeof toListInput>;

/** Days of installs that are asked for, as every engine can store them. @throws ApiError 400 for a range of no day. */
export function toListInput({ from = FIRST_DAY, to = LAST_DAY, ...query }: QueryValues<typeof listParameters>) {
  checkDayRange({ from, to });
  return { ...query, from: storableDay(from), to: storableDay(to) };
}

/** The text that stands for a place; it is not for callers to read. */
export const placeText = ({ installedMs, installId }: Place) => encodeCursor([installedMs, installId]);

function readPlace(value: string): Place {
  const [installedMs, installId] = decodeCursor(value);
  if (
    !isWhole(installedMs, END_OF_TIME) ||
    typeof installId !== 'string' ||
    findUnstorableText(installId) !== undefined
  )
    throw wrong('before', 'must be a next_before of this list');
  return { installedMs, installId };
}
