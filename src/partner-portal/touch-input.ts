/** What may be asked about single touches and refused requests (docs/contract/partners.md). */

export const KINDS = ['click', 'impression', 'ctv_impression'] as const;
export const MAX_TID = 512;
export const MAX_REASON = 64;
export const REFUSED = { default: 50, maximum: 100 } as const;
/** Samples are counted in 64 bits; so many are never reached. */
export const MAX_SAMPLE = Number.MAX_SAFE_INTEGER;

/** What the samples are chosen by; undefined for whatever it is. */
export interface RefusedInput {
  readonly project_id?: number | undefined;
  readonly partner_id?: number | undefined;
  readonly reason?: string | undefined;
  readonly kind?: string | undefined;
  readonly tid?: string | undefined;
  readonly id?: number | undefined;
  readonly before?: number | undefined;
  readonly limit: number;
}
