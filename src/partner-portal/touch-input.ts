/** Reads what is asked about single touches and refused requests into legal values (docs/contract/partners.md). */
import { readChoice, readText, readWholeNumber, wrong } from '../lib/parameters';
import { UUID_IN_ANY_CASE } from '../lib/uuid';
import { MAX_ID } from './input';

export const KINDS = ['click', 'impression', 'ctv_impression'] as const;
export const MAX_TID = 512;
export const MAX_REASON = 64;
export const REFUSED = { default: 50, maximum: 100 } as const;
/** Samples are counted in 64 bits; so many are never reached. */
export const MAX_SAMPLE = Number.MAX_SAFE_INTEGER;

export interface TouchInput {
  readonly search: string;
  /** What is searched for as the ID of a touch; undefined where it cannot be one. */
  readonly id: string | undefined;
}

export interface RefusedInput {
  readonly projectId: number | undefined;
  readonly partnerId: number | undefined;
  readonly reason: string | undefined;
  readonly kind: string | undefined;
  readonly tid: string | undefined;
  readonly id: number | undefined;
  readonly before: number | undefined;
  readonly limit: number;
}

/** @throws ApiError 400 that names the parameter and the rule. */
export function readTouchInput(query: URLSearchParams): TouchInput {
  const search = readText(query, 'search', MAX_TID);
  if (search === undefined) throw wrong('search', 'is required');
  return { search, id: UUID_IN_ANY_CASE.test(search) ? search.toLowerCase() : undefined };
}

/** @throws ApiError 400 that names the parameter and the rule. */
export function readRefusedInput(query: URLSearchParams): RefusedInput {
  const id = (name: string, max: number) => readWholeNumber(query, name, { min: 1, max });
  return {
    projectId: id('project_id', MAX_ID),
    partnerId: id('partner_id', MAX_ID),
    reason: readText(query, 'reason', MAX_REASON),
    kind: readChoice(query, 'kind', KINDS),
    tid: readText(query, 'tid', MAX_TID),
    id: id('id', MAX_SAMPLE),
    before: id('before', MAX_SAMPLE),
    limit: readWholeNumber(query, 'limit', { min: 1, max: REFUSED.maximum }) ?? REFUSED.default,
  };
}
