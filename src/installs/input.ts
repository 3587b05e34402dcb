/** Reads the parameters of the list of installs (docs/contract/attribution.md). */
import { decodeCursor, encodeCursor, isWhole } from '../lib/cursor';
import { readDay, readFlag, readText, readWholeNumber, wrong } from '../lib/parameters';
import { findUnstorableText } from '../lib/text';
import { FIRST_DAY, LAST_DAY, storableDay } from '../lib/time';
import { EVENT_LIMITS, LIMITS } from './schema';

/** The place of an install in the list: the page begins after it. */
export interface Place {
  readonly installedMs: number;
  readonly installId: string;
}

export interface ListInput {
  /** An install, device or user; empty for all. */
  readonly search: string;
  /** Days in the project's time zone, both included. */
  readonly from: string;
  readonly to: string;
  readonly displayId: string | undefined;
  readonly partnerId: number | undefined;
  readonly organic: boolean | undefined;
  readonly suspicious: boolean | undefined;
  readonly limit: number;
  readonly before: Place | undefined;
}

/** In milliseconds: later than every install. */
export const END_OF_TIME = Date.UTC(2299, 11, 31);

export function readListInput(query: URLSearchParams): ListInput {
  const from = readDay(query, 'from') ?? FIRST_DAY;
  const to = readDay(query, 'to') ?? LAST_DAY;
  if (from > to) throw wrong('from', 'must not be after to');
  const before = query.get('before');
  return {
    search: readText(query, 'search', LIMITS.search) ?? '',
    from: storableDay(from),
    to: storableDay(to),
    displayId: readText(query, 'display_id', LIMITS.displayId),
    partnerId: readWholeNumber(query, 'partner_id', { min: 1, max: 0xffffffff }),
    organic: readFlag(query, 'organic'),
    suspicious: readFlag(query, 'suspicious'),
    limit: readWholeNumber(query, 'limit', { min: 1, max: LIMITS.maximum }) ?? LIMITS.default,
    before: before ? readPlace(before) : undefined,
  };
}

/** How many events of an install are asked for. */
export const readEventLimit = (query: URLSearchParams): number =>
  readWholeNumber(query, 'limit', { min: 1, max: EVENT_LIMITS.maximum }) ?? EVENT_LIMITS.default;

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
