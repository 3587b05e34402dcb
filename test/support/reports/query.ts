/** Asks queries. */
import { ApiError } from '../../../src/errors';
import { readQueryInput } from '../../../src/questions/query-input';
import { eventually, type Service } from '../service';
import type { Json } from '../collect/collect-client';

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

type Asked = Pick<Service, 'request'> & Partial<Pick<Service, 'output'>>;

/** What the service has logged as errors of late: an answer says nothing of what is inside. */
const readErrors = (service: Asked) =>
  (service.output?.() ?? '')
    .split('\n')
    .filter((line) => line.startsWith('{"level":"error"'))
    .slice(-3);

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
      if (answer.status === 503 || answer.status === 429) return undefined;
      const errors = answer.status < 500 ? [] : readErrors(service);
      expect({ status: answer.status, body: answer.body, errors }).toMatchObject({ status: 200, errors: [] });
      return answer;
    },
    30_000,
  );
}

/** A ClickHouse user of one project, by the headers that it sends. */
export async function readReader(service: Service, projectId: number): Promise<Record<string, string>> {
  const { status, body } = await service.admin('POST', `/projects/${projectId}/readers`);
  expect(status).toBe(201);
  return { 'X-ClickHouse-User': body.user as string, 'X-ClickHouse-Key': body.password as string };
}

/** Dimensions whose values are IDs: statements have what they are called beside them. */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  app: ['campaign', 'network', 'channel', 'ad_set', 'ad', 'keyword'],
  web: ['campaign', 'ad_set', 'ad', 'keyword'],
};

/** The rows of an answer as its statement has them, and what the statement gives a reader of the project. */
export async function askBoth(service: Service, key: string, reader: Record<string, string>, body: Json) {
  const include = [...((body.include as string[] | undefined) ?? ['organic']), 'sql'];
  const { body: answered, results } = await ask(service, key, { ...body, include });
  const dimensions = (body.dimensions ?? []) as string[];
  const rows = results.map((row) => [
    ...dimensions.flatMap((name, at) => [
      row.dimensions[at],
      ...(NAMED[String(body.source)]?.includes(name) ? [row.labels[at]] : []),
    ]),
    ...row.metrics,
  ]);
  const settings = 'output_format_json_quote_64bit_integers=0&output_format_json_quote_decimals=0';
  const response = await fetch(`${service.clickhouseUrl}/?${settings}&default_format=JSONCompactEachRow`, {
    method: 'POST',
    headers: reader,
    body: answered.sql as string,
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${text}\n${String(answered.sql)}`);
  const lines = text.split('\n').filter((line) => line !== '');
  return { rows, shown: lines.map((line) => JSON.parse(line) as unknown[]) };
}

type Draw = <T>(list: readonly T[]) => T;

/** What questions are drawn from; a filter is a dimension and values by which something passes, and something not. */
interface Drawn {
  readonly metrics: readonly string[];
  readonly dimensions: readonly string[];
  readonly filters: readonly (readonly [dimension: string, values: readonly string[]])[];
}

/** A random question that means something, with what `more` draws for it. */
export function drawLegal<Question extends object>(
  random: () => number,
  source: 'app' | 'web',
  { metrics, dimensions, filters }: Drawn,
  more: (draw: Draw) => Partial<Question>,
): Question {
  const draw: Draw = (list) => list[Math.floor(random() * list.length)] as (typeof list)[number];
  const several = <T>(list: readonly T[], most: number) => [
    ...new Set(Array.from({ length: Math.floor(random() * (most + 1)) }, () => draw(list))),
  ];
  for (;;) {
    const question = {
      metrics: [...new Set([draw(metrics), ...several(metrics, 4)])],
      dimensions: several(dimensions, 3),
      filters: several(filters, 2).map(([dimension, values]) => [
        draw(['is', 'is_not', 'contains', 'contains_not']),
        dimension,
        values,
      ]),
      ...more(draw),
    };
    try {
      readQueryInput({ ...question, source });
      return question as unknown as Question;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
  }
}
