/** Asks the service what it would say to a request. */
import { api, ApiFailure, unwrapData, partnerApi, TOKEN } from '../../api/client';
import type { components } from '@adtrail/client';
import type { Request } from './requests';

type Schemas = components['schemas'];
export type Trial = Schemas['ClickTrial'] | Schemas['ImpressionTrial'] | Schemas['CtvImpressionTrial'];

export type BatchTrial = Schemas['BatchTrial'];

const isTrial = (body: object): body is Trial => 'outcome' in body && 'checks' in body;

/** With its own token a request is tried as whoever sends it; without, for the partner of the page. */
export async function tryOut(partnerId: number, { kind, query, token }: Request): Promise<Trial> {
  const client = token ? api : partnerApi(partnerId);
  const options = {
    // The query goes out as it was written, with its faults.
    params: { query: { c: '', tid: '', ip: '', ua: '' } },
    querySerializer: () => query,
    headers: token ? { [TOKEN]: token } : {},
  };
  try {
    if (kind === 'click') return await unwrapData(client.POST('/v1/validate/click', options));
    if (kind === 'impression') return await unwrapData(client.POST('/v1/validate/impression', options));
    return await unwrapData(client.POST('/v1/validate/ctv/impression', options));
  } catch (error) {
    if (error instanceof ApiFailure && isTrial(error.body)) return error.body;
    throw error;
  }
}

/** What each record of a batch would be answered, in order, for the partner of the page. */
export const tryBatch = (partnerId: number, body: string): Promise<BatchTrial> =>
  unwrapData(
    partnerApi(partnerId).POST('/v1/validate/batch', {
      // The text goes out as it was pasted, with its faults.
      body: [],
      bodySerializer: () => body,
      headers: { 'Content-Type': /^\s*\[/.test(body) ? 'application/json' : 'application/x-ndjson' },
    }),
  );
