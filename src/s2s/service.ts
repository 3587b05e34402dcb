/** Accepts or refuses one S2S request: checks it, counts it against its campaign's limit, stores it. */
import { UnavailableError } from '../errors';
import type { Receipt, Receipts } from '../ingest/receipts';
import type { RecordStore } from '../ingest/record';
import type { Campaign } from '../configuration/config-snapshot';
import { findPlace, validate, type Context } from './checks';
import type { Definition } from './definitions';
import type { Reason } from './reasons';
import type { RequestCounts } from './request-counts';
import { readRequest, type S2sRequest } from './input';
import type { RefusedSamples } from './refused-samples';
import { toRecord } from './row';

/** Counts requests against the limit of a campaign; answers the seconds to wait, 0 for go ahead. */
export interface CampaignLimiter {
  take(campaignId: number): number | Promise<number>;
}

export interface S2sOptions extends Context {
  readonly datacenters: Context['datacenters'] & { readonly version: string };
  readonly receipts: Receipts;
  readonly stores: Readonly<Record<Definition['kind'], RecordStore>>;
  readonly limiter: CampaignLimiter;
  readonly counts: Pick<RequestCounts, 'add'>;
  readonly samples: Pick<RefusedSamples, 'add'>;
  readonly now: () => number;
}

interface Refused {
  readonly reason: Reason;
  readonly retryAfter?: number;
}
export type Outcome = { readonly id: string } | Refused;

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
const limited = (retryAfter: number): Refused => ({ reason: 'rate_limited', retryAfter });
export const UNAVAILABLE = { reason: 'unavailable', retryAfter: RETRY_AFTER } as const satisfies Outcome;

/**
 * The one pipeline behind the three endpoints. What it answers with an ID is durable.
 *
 * A request gets its receipt and becomes a row only once its campaign's limit has let it pass: then it goes to the log
 * in the same turn of the event loop, and only its row stays while the log is written.
 */
export function createIngest(options: S2sOptions): Ingest {
  const { receipts, stores, limiter, counts, samples, datacenters, now } = options;

  const refuse = (request: S2sRequest, outcome: Refused): Refused => {
    samples.add(request, outcome.reason, findPlace(request, options));
    return outcome;
  };

  const store = async (request: S2sRequest, receipt: Receipt): Promise<Outcome> => {
    const record = toRecord(request, receipt, datacenters.version);
    try {
      await stores[request.definition.kind].add(record);
    } catch (error) {
      if (error instanceof UnavailableError) return UNAVAILABLE;
      throw error;
    }
    return { id: record.id };
  };

  const answer = async (request: S2sRequest): Promise<Outcome> => {
    const reason = validate(request, options);
    if (reason) return reason === 'unavailable' ? UNAVAILABLE : refuse(request, { reason });
    const taken = limiter.take((request.campaign as Campaign).id);
    if (typeof taken === 'number')
      return taken > 0 ? refuse(request, limited(taken)) : store(request, receipts.next(request.now));
    const shared = receipts.together(request.now);
    try {
      const wait = await taken;
      if (wait > 0) return refuse(request, limited(wait));
      const stored = store(request, shared.next());
      shared.close();
      return await stored;
    } finally {
      shared.close();
    }
  };

  return async (definition, pathAppId, queryString, headerToken) => {
    const request = readRequest(definition, now(), pathAppId, queryString, headerToken);
    const answered = answer(request);
    // The checks are through by now: what it is counted by is known, and the request need not stay while it is stored.
    const counted = { kind: definition.kind, partnerId: request.partnerId, ...findPlace(request, options) };
    const at = request.now;
    const outcome = await answered;
    counts.add({ ...counted, outcome: 'reason' in outcome ? outcome.reason : 'accepted' }, at);
    return outcome;
  };
}
