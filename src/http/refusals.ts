/** Which refusals are signs of an attack, and how they are counted: no label is anything that a caller can choose. */

/** Where a request went; `links` are tracking domains, `other` is anything else. */
export type Area = 'api' | 'admin' | 'collect' | 's2s' | 'links' | 'metrics' | 'other';

const PREFIXES: readonly (readonly [string, Area])[] = [
  ['/api/v1/', 'api'],
  ['/admin/v1/', 'admin'],
  ['/collect/v1/', 'collect'],
  ['/v1/', 's2s'],
  ['/metrics', 'metrics'],
];

/** By the status with which a request is refused; what is not here is no sign of anything. */
const REASONS = {
  401: 'unauthorized',
  408: 'too_slow',
  413: 'body',
  429: 'rate_limited',
  431: 'headers',
} as const;
export type RefusalReason = (typeof REASONS)[keyof typeof REASONS] | 'malformed' | 'connections';

/** Called for every refusal that may be part of an attack. */
export type OnRefusal = (area: Area, reason: RefusalReason) => void;

export const findArea = (path: string): Area => PREFIXES.find(([prefix]) => path.startsWith(prefix))?.[1] ?? 'other';

/** Undefined for a status that is no sign of an attack. */
export const findReason = (status: number): RefusalReason | undefined => REASONS[status as keyof typeof REASONS];
