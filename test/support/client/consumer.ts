/**
 * What a program that uses `@adtrail/client` may write, and what its compiler must refuse. The tests check it against
 * the packed package, for both ways to resolve modules; it is never run.
 */
import { ApiFailure, createClient, type Client, type components, type RowOnPage } from '@adtrail/client';

const client: Client = createClient({ url: 'https://adtrail.example', serviceKey: 'key', maxRetries: 2 });
const body = { source: 'app', metrics: ['installs'], from: '2026-01-01', to: '2026-01-31' } as const;
const question = { ...body, metrics: [...body.metrics] };

export async function ask(): Promise<number> {
  const { data, response } = await client.POST('/api/v1/reporting/query', { body: question });
  const [first] = data.results;
  const values: (number | null)[] = first?.metrics ?? [];
  const csv = await client.POST('/api/v1/reporting/query', {
    params: { query: { format: 'csv' } },
    body: question,
    parseAs: 'text',
  });
  // A text, and no report.
  const text: string = csv.data;
  // @ts-expect-error: no text is a number
  const wrong: number = csv.data;
  const deleted: undefined = (await client.DELETE('/api/v1/boards/{id}', { params: { path: { id: 1 } } })).data;
  const { data: found } = await client.GET('/api/v1/get-attribution-result', { params: { query: { user_id: 'u' } } });
  // @ts-expect-error: 204 has no data
  void found.msg;
  return values.length + text.length + wrong + Number(deleted) + response.status;
}

export async function* list(): AsyncGenerator<string> {
  for await (const campaign of client.pages('/api/v1/campaigns')) yield campaign.display_id;
  const query = { from: '2026-01-01', to: '2026-01-31' };
  for await (const install of client.pages('/api/v1/installs', { params: { query } })) yield install.install_id;
  const link: RowOnPage<'/api/v1/links'> | undefined = undefined;
  yield String(link);
  const params = { path: { kind: 'clicks' as const }, query };
  const rows = await client.stream('/api/v1/export/{kind}', { params });
  for await (const row of rows) yield String(row.click_id);
  const clicks = await client.stream('/api/v1/export/{kind}', {
    params,
    parse: (line) => JSON.parse(line) as { readonly click_id: string },
  });
  for await (const click of clicks) yield click.click_id;
  const figures = await client.stream('/api/v1/reporting/query', { body: question });
  yield figures.completeUntil ?? '';
}

export const sendBytes = async (): Promise<void> => {
  const headers = { 'Content-Type': 'application/x-ndjson' };
  await client.POST('/v1/batch', { body: new Blob(['']), headers });
  await client.POST('/v1/batch', { body: new ReadableStream<Uint8Array>(), headers });
};

export const tell = (error: unknown): string =>
  error instanceof ApiFailure ? `${error.status} ${error.code} ${error.field ?? ''} ${error.requestId ?? ''}` : '';

export type Project = components['schemas']['Project'];

export const refused = () => [
  // @ts-expect-error: there is no such path
  client.GET('/api/v1/nothing'),
  // @ts-expect-error: nor such a method of this one
  client.DELETE('/api/v1/campaigns'),
  // @ts-expect-error: the body is missing
  client.POST('/api/v1/reporting/query'),
  // @ts-expect-error: so are the days
  client.POST('/api/v1/reporting/query', { body: { source: 'app', metrics: ['installs'] } }),
  // @ts-expect-error: there is no such source
  client.POST('/api/v1/reporting/query', { body: { ...question, source: 'tv' } }),
  // @ts-expect-error: the parameter of the path is missing
  client.GET('/api/v1/boards/{id}', {}),
  // @ts-expect-error: it is a number
  client.GET('/api/v1/boards/{id}', { params: { path: { id: 'one' } } }),
  // @ts-expect-error: there is no such parameter
  client.GET('/api/v1/campaigns', { params: { query: { colour: 'red' } } }),
  // @ts-expect-error: it has no pages
  client.pages('/api/v1/reporting/model'),
  // @ts-expect-error: it is no stream
  client.stream('/api/v1/campaigns', {}),
  // @ts-expect-error: there is no such option
  createClient({ url: 'https://adtrail.example', password: 'secret' }),
  // @ts-expect-error: the address is missing
  createClient({ serviceKey: 'key' }),
];
