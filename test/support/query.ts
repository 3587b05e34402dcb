/** Asks queries. */
import { eventually, type Service } from './service';
import type { Json } from './collect-client';

export interface QueryAnswer {
  readonly status: number;
  readonly body: Json;
  readonly headers: Headers;
  readonly results: {
    readonly dimensions: string[];
    readonly labels: string[];
    readonly metrics: (number | null)[];
    readonly comparison?: (number | null)[];
  }[];
  readonly totals: (number | null)[] | undefined;
  readonly meta: Json;
}

type Asked = Pick<Service, 'request'>;

/** One request with that body, whatever the answer. */
export async function postQuery(service: Asked, key: string, body: unknown): Promise<QueryAnswer> {
  const response = await service.request('/api/v1/reporting/query', {
    method: 'POST',
    headers: { 'service-key': key, 'Content-Type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  const answer = (await response.json()) as Json;
  return {
    status: response.status,
    body: answer,
    headers: response.headers,
    results: (answer.results ?? []) as QueryAnswer['results'],
    totals: answer.totals as QueryAnswer['totals'],
    meta: (answer.meta ?? {}) as Json,
  };
}

/** The answer; asks again while the service says that it cannot answer just now, as clients do. */
export async function ask(service: Asked, key: string, body: unknown): Promise<QueryAnswer> {
  return eventually(
    'an answer to a query',
    async () => {
      const answer = await postQuery(service, key, body);
      if (answer.status === 503) return undefined;
      expect({ status: answer.status, body: answer.body }).toMatchObject({ status: 200 });
      return answer;
    },
    30_000,
  );
}
