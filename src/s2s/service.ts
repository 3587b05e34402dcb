/** Accepts or refuses one S2S request: checks it, counts it against its campaign's limit, stores it. */
import { UnavailableError } from '../errors';
import { recordId } from '../ingest/record-id';
import type { Receipts } from '../ingest/receipts';
import type { NewRecord, Store } from '../ingest/store';
import type { Campaign } from '../configuration/config-snapshot';
import { validate, type Context } from './checks';
import type { Definition } from './definitions';
import type { Reason } from './rejections';
import { readRequest } from './input';
import { toLine } from './row';

/** Counts requests against the limit of a campaign; answers the seconds to wait, 0 for go ahead. */
export interface CampaignLimiter {
  take(campaignId: number): number | Promise<number>;
}

export interface S2sOptions extends Context {
  readonly datacenters: Context['datacenters'] & { readonly version: string };
  readonly receipts: Receipts;
  readonly stores: Readonly<Record<Definition['kind'], Pick<Store, 'add'>>>;
  readonly limiter: CampaignLimiter;
}

export type Outcome = { readonly id: string } | { readonly reason: Reason; readonly retryAfter?: number };

export interface Ingest {
  (
    definition: Definition,
    pathAppId: string | undefined,
    queryString: string,
    headerToken: string | undefined,
  ): Promise<Outcome>;
}

/** How soon a request may be repeated that could not be stored, in seconds. */
const RETRY_AFTER = 1;
const UNAVAILABLE: Outcome = { reason: 'unavailable', retryAfter: RETRY_AFTER };

/** A request that passed every check, and nothing of it that is not needed while it waits to be stored. */
interface Accepted {
  readonly campaignId: number;
  readonly record: NewRecord;
}

/**
 * The one pipeline behind the three endpoints. What it answers with an ID is durable.
 *
 * Hundreds of requests wait for a flush at any time, so everything up to the record happens in one go, and only the
 * record stays: garbage collection is a good part of what a request costs.
 */
export function createIngest(options: S2sOptions): Ingest {
  const { receipts, stores, limiter, datacenters } = options;

  const accept = (...args: Parameters<Ingest>): Accepted | { reason: Reason } => {
    const [definition, pathAppId, queryString, headerToken] = args;
    const request = readRequest(definition, receipts.next(), pathAppId, queryString, headerToken);
    const reason = validate(request, options);
    if (reason) return { reason };
    const { id: campaignId } = request.campaign as Campaign;
    const id = recordId(definition.kind, campaignId, request.fields.tid as string);
    return { campaignId, record: { id, day: request.receipt.day, line: toLine(request, id, datacenters.version) } };
  };

  return async (definition, pathAppId, queryString, headerToken) => {
    const checked = accept(definition, pathAppId, queryString, headerToken);
    if ('reason' in checked) return checked.reason === 'unavailable' ? UNAVAILABLE : checked;
    const taken = limiter.take(checked.campaignId);
    const wait = typeof taken === 'number' ? taken : await taken;
    if (wait > 0) return { reason: 'rate_limited', retryAfter: wait };
    try {
      await stores[definition.kind].add(checked.record);
    } catch (error) {
      if (error instanceof UnavailableError) return UNAVAILABLE;
      throw error;
    }
    return { id: checked.record.id };
  };
}
