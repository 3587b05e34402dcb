/** Accepts or refuses one S2S request: judge it, count it against its campaign's limit, store it. */
import { UnavailableError } from '../errors';
import { recordId } from '../ingest/record-id';
import type { Receipts } from '../ingest/receipts';
import type { Store } from '../ingest/store';
import type { Campaign } from '../projects/directory';
import { judge, type Context } from './checks';
import type { Definition } from './definitions';
import type { Reason } from './faults';
import { readDraft } from './input';
import { toLine } from './rows';

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

export type Ingest = (definition: Definition, pathAppId: string | undefined, queryString: string, headerToken: string | undefined) => Promise<Outcome>;

/** How soon a request may be repeated that could not be stored, in seconds. */
const RETRY_AFTER = 1;

/** The one pipeline behind the three endpoints. What it answers with an ID is durable. */
export function createIngest(options: S2sOptions): Ingest {
  const { receipts, stores, limiter, datacenters } = options;
  return async (definition, pathAppId, queryString, headerToken) => {
    const draft = readDraft(definition, receipts.next(), pathAppId, queryString, headerToken);
    const reason = judge(draft, options);
    if (reason) return reason === 'unavailable' ? { reason, retryAfter: RETRY_AFTER } : { reason };
    const campaign = draft.campaign as Campaign;
    const taken = limiter.take(campaign.id);
    const wait = typeof taken === 'number' ? taken : await taken;
    if (wait > 0) return { reason: 'rate_limited', retryAfter: wait };
    const id = recordId(definition.kind, campaign.id, draft.fields.tid as string);
    try {
      await stores[definition.kind].add({ id, day: draft.receipt.day, line: toLine(draft, id, datacenters.version) });
    } catch (error) {
      if (error instanceof UnavailableError) return { reason: 'unavailable', retryAfter: RETRY_AFTER };
      throw error;
    }
    return { id };
  };
}
