/** Speaks to the three S2S endpoints as a partner would: well-formed requests to change, in every host form. */
import { Client } from 'pg';
import { postgresUrl } from './postgres';
import { eventually, type Service } from './service';
import { GAID, TOKEN } from './workspace';

export type Endpoint = 'click' | 'impression' | 'ctv';
export type Form = 'path' | 'query' | 'domain';
export const ENDPOINTS: readonly Endpoint[] = ['click', 'impression', 'ctv'];
export const FORMS: readonly Form[] = ['path', 'query', 'domain'];

export const PATHS = { click: '/v1/click', impression: '/v1/impression', ctv: '/v1/ctv/impression' } as const;
export const VIEWS = {
  click: 'analytics.clicks',
  impression: 'analytics.impressions',
  ctv: 'analytics.ctv_impressions',
} as const;
export const ID_FIELDS = { click: 'click_id', impression: 'impression_id', ctv: 'impression_id' } as const;
export const TIME_FIELDS = { click: 'click_time', impression: 'impression_time', ctv: 'impression_time' } as const;

/** An address of RFC 5737, which counts as public and belongs to no data centre. */
export const PUBLIC_IP = '203.0.113.7';
export const UA = 'Mozilla/5.0 (SMART-TV; Linux; Tizen 7.0)';
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[58][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** A project of the workspace by what names it in each host form, and a campaign of it. */
export interface Target {
  readonly app: string;
  readonly domain: string;
  readonly c: string;
}
export const ACME: Target = { app: 'com.acme.shop', domain: 'go.acme.example', c: 'AbC123' };
export const NOTHING_ON: Target = { app: 'com.off', domain: 'go.off.example', c: 'off1' };
export const CLICKS_ONLY: Target = { app: 'com.clicks', domain: 'go.clicks.example', c: 'clicks1' };
export const TRAFFIC_ONLY: Target = { app: 'com.traffic', domain: 'go.traffic.example', c: 'traffic1' };
export const NO_CTV: Target = { app: 'com.noctv', domain: 'go.noctv.example', c: 'noctv1' };

/** A request in the making. `app` is the app ID or domain in the place that `form` says; empty leaves it out. */
export interface S2sRequest {
  endpoint: Endpoint;
  form: Form;
  app: string;
  /** Header X-Service-Token; undefined sends none. */
  token: string | undefined;
  params: Record<string, string>;
}

export interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly headers: Headers;
}

let count = 0;
/** A tid that no other request of this process has. */
export const newTid = (prefix = 't') => `${prefix}-${process.pid}-${++count}`;

/** The least that each endpoint requires besides app, c and tid. */
const REQUIRED: Record<Endpoint, Record<string, string>> = {
  click: { gaid: GAID },
  impression: { gaid: GAID },
  ctv: { ip: PUBLIC_IP, ua: UA },
};

/** A request that is accepted as it is; `params` replaces or adds, and undefined removes. */
export function goodRequest(
  endpoint: Endpoint,
  params: Record<string, string | undefined> = {},
  form: Form = 'query',
  target: Target = ACME,
): S2sRequest {
  const request: S2sRequest = {
    endpoint,
    form,
    app: '',
    token: TOKEN,
    params: Object.assign(Object.create(null) as Record<string, string>, {
      c: target.c,
      tid: newTid(),
      ...REQUIRED[endpoint],
    }),
  };
  aim(request, target);
  for (const [name, value] of Object.entries(params)) {
    if (value === undefined) delete request.params[name];
    else request.params[name] = value;
  }
  return request;
}

/** Points a request at another project and campaign. */
export function aim(request: S2sRequest, target: Target): void {
  request.app = request.form === 'domain' ? target.domain : target.app;
  request.params.c = target.c;
}

export function urlOf({ endpoint, form, app, params }: S2sRequest): string {
  const query = new URLSearchParams(params);
  if (app && form === 'query') query.set('app_id', app);
  if (app && form === 'domain') query.set('d', app);
  return `${PATHS[endpoint]}${app && form === 'path' ? `/${encodeURIComponent(app)}` : ''}?${query.toString()}`;
}

/** Sends a path with query as it stands (fetch encodes what a URL cannot hold) and insists on JSON. */
export async function get(
  service: Service,
  at: string,
  headers: Record<string, string> = { 'X-Service-Token': TOKEN },
): Promise<Answer> {
  const response = await service.request(at, { headers });
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  return {
    status: response.status,
    body: (await response.json()) as Record<string, unknown>,
    headers: response.headers,
  };
}

export function send(service: Service, request: S2sRequest): Promise<Answer> {
  return get(service, urlOf(request), request.token === undefined ? {} : { 'X-Service-Token': request.token });
}

/** Sends and expects acceptance; resolves with the record's ID. */
export async function accept(service: Service, request: S2sRequest): Promise<string> {
  const { status, body } = await send(service, request);
  const id = body[ID_FIELDS[request.endpoint]];
  expect({ status, body }).toEqual({ status: 200, body: { status: 'accepted', [ID_FIELDS[request.endpoint]]: id } });
  expect(id).toMatch(UUID);
  return id as string;
}

/** Sends and expects this rejection, exactly. */
export async function reject(service: Service, request: S2sRequest, status: number, reason: string): Promise<Answer> {
  const answer = await send(service, request);
  expect({ status: answer.status, body: answer.body }).toEqual({ status, body: { status: 'rejected', reason } });
  return answer;
}

/** The one row of a record as `analytics` shows it. */
export async function rowOf(service: Service, endpoint: Endpoint, id: string): Promise<Record<string, unknown>> {
  const rows = await service.rows(`SELECT * FROM ${VIEWS[endpoint]} WHERE ${ID_FIELDS[endpoint]} = '${id}'`);
  expect(rows).toHaveLength(1);
  return rows[0] as Record<string, unknown>;
}

/** Accepts requests to one endpoint at once and reads their rows in one query, in the same order. */
export async function rowsOf(
  service: Service,
  endpoint: Endpoint,
  requests: readonly S2sRequest[],
): Promise<Record<string, unknown>[]> {
  const ids = await Promise.all(requests.map((request) => accept(service, request)));
  const rows = await service.rows(
    `SELECT * FROM ${VIEWS[endpoint]} WHERE ${ID_FIELDS[endpoint]} IN (${ids.map((id) => `'${id}'`).join()})`,
  );
  expect(rows).toHaveLength(new Set(ids).size);
  const byId = new Map(rows.map((row) => [row[ID_FIELDS[endpoint]], row]));
  return ids.map((id) => byId.get(id) as Record<string, unknown>);
}

/** How many records the three views show together. */
export async function countRecords(service: Service): Promise<number> {
  const [row] = await service.rows<{ n: string }>(
    `SELECT toString(sum(n)) AS n
     FROM (${ENDPOINTS.map((endpoint) => `SELECT count() AS n FROM ${VIEWS[endpoint]}`).join(' UNION ALL ')})`,
  );
  return Number(row?.n);
}

/** Numeric IDs by name, as administration lists them. */
export async function idByName(service: Service, kind: 'partners' | 'projects', name: string): Promise<number> {
  const { body } = await service.admin('GET', `/${kind}`);
  const found = (body[kind] as { id: number; name: string }[]).find((one) => one.name === name);
  if (!found) throw new Error(`No ${name} among the ${kind}`);
  return found.id;
}

export async function setSwitches(service: Service, project: string, partner: string, switches: object): Promise<void> {
  const projectId = await idByName(service, 'projects', project);
  const partnerId = await idByName(service, 'partners', partner);
  const { status } = await service.admin('PUT', `/projects/${projectId}/partners/${partnerId}`, switches);
  expect(status).toBe(200);
}

/** Changes the embedded PostgreSQL by hand and announces it, for what only time or another feature would do. */
export async function changePostgres(service: Service, sql: string, values: unknown[] = []): Promise<void> {
  const client = new Client(postgresUrl(service));
  await client.connect();
  try {
    await client.query('BEGIN');
    await client.query('UPDATE configuration SET revision = revision + 1');
    const { rowCount } = await client.query(sql, values);
    await client.query("SELECT pg_notify('adtrail_configuration', '')");
    await client.query('COMMIT');
    expect(rowCount).toBe(1);
  } finally {
    await client.end();
  }
}

/** Repeats a request until it is refused for `reason`: a change by another process is in force soon, not at once. */
export function eventuallyRejected(service: Service, request: S2sRequest, reason: string): Promise<true> {
  return eventually(`the answer is ${reason}`, async () =>
    (await send(service, request)).body.reason === reason ? true : undefined,
  );
}
