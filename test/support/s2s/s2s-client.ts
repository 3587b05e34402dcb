/** Speaks to the three S2S endpoints as a partner would: well-formed requests to change, in every host form. */
import { randomUUID } from 'node:crypto';
import type { Service } from '../service';
import { GAID, TOKEN } from '../workspace/workspace';

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
export type Row = Record<string, unknown>;

/** Where partners send their requests: those of a service, or those of ./s2s-pipeline. */
export interface S2sEndpoints {
  /** The time by the clock of the endpoints, in milliseconds. */
  now(): number;
  /** Sends a path with query. */
  ask(at: string, headers?: Record<string, string>, method?: string, body?: string | Buffer): Promise<Answer>;
  /** The records with these IDs, as they can be read back. */
  records(endpoint: Endpoint, ids: readonly string[]): Promise<Row[]>;
  /** What stands there for a token or a domain of the workspace; other values are as they are. */
  readonly own: (name: string) => string;
}

/** All domains of the workspace end in .example, and all tokens begin with token-of-. */
const IS_NAMED = /^token-of-|^[a-z.-]+\.example$/i;

/** The endpoints of a service, of which a suite may have names of its own (./own-names). */
export const overHttp = (service: Service, own = (name: string) => name): S2sEndpoints => ({
  now: Date.now,
  async ask(at, headers = {}, method = 'GET', content) {
    const response = await service.request(at, { method, headers, body: content as string });
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const body = (await response.json()) as Record<string, unknown>;
    return { status: response.status, body, headers: response.headers };
  },
  records: (endpoint, ids) =>
    service.rows(
      `SELECT * FROM ${VIEWS[endpoint]} WHERE ${ID_FIELDS[endpoint]} IN (${ids.map((id) => `'${id}'`).join()})`,
    ),
  own: (name) => (IS_NAMED.test(name) ? own(name) : name),
});

let count = 0;
/** Files that the same process runs count anew, each in a copy of this module. */
const FILE_MARK = randomUUID().slice(0, 8);
/** A tid that no other request has. */
export const newTid = (prefix = 't') => `${prefix}-${FILE_MARK}-${++count}`;

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

export function makeUrl({ endpoint, form, app, params }: S2sRequest, own = (name: string) => name): string {
  const query = new URLSearchParams(params);
  if (app && form === 'query') query.set('app_id', app);
  if (app && form === 'domain') query.set('d', app);
  for (const name of ['d', 'svc_token']) if (query.has(name)) query.set(name, own(query.get(name) as string));
  return `${PATHS[endpoint]}${app && form === 'path' ? `/${encodeURIComponent(app)}` : ''}?${query.toString()}`;
}

export const makeHeaders = ({ token }: S2sRequest, own = (name: string) => name): Record<string, string> =>
  token === undefined ? {} : { 'X-Service-Token': own(token) };

export const send = (s2s: S2sEndpoints, request: S2sRequest): Promise<Answer> =>
  s2s.ask(makeUrl(request, s2s.own), makeHeaders(request, s2s.own));

/** Sends, and tells the outcome: `accepted`, or status and reason. */
export async function readOutcome(s2s: S2sEndpoints, request: S2sRequest): Promise<string> {
  const { status, body } = await send(s2s, request);
  return body.reason === undefined ? (body.status as string) : `${status} ${body.reason as string}`;
}

/** Sends and expects acceptance, and nothing else in the answer; resolves with the record's ID. */
export async function accept(s2s: S2sEndpoints, request: S2sRequest): Promise<string> {
  const { status, body } = await send(s2s, request);
  const id = body[ID_FIELDS[request.endpoint]];
  expect({ status, body }).toEqual({ status: 200, body: { status: 'accepted', [ID_FIELDS[request.endpoint]]: id } });
  expect(id).toMatch(UUID);
  return id as string;
}

/** Sends and expects this rejection, exactly. */
export async function reject(s2s: S2sEndpoints, request: S2sRequest, status: number, reason: string): Promise<Answer> {
  const answer = await send(s2s, request);
  expect({ status: answer.status, body: answer.body }).toEqual({ status, body: { status: 'rejected', reason } });
  return answer;
}

/** The one row of a record, as it can be read back. */
export async function readRow(s2s: S2sEndpoints, endpoint: Endpoint, id: string): Promise<Row> {
  const rows = await s2s.records(endpoint, [id]);
  expect(rows).toHaveLength(1);
  return rows[0] as Row;
}

/** Numeric IDs by name, as administration lists them. */
export async function idByName(service: Service, kind: 'partners' | 'projects', name: string): Promise<number> {
  const { body } = await service.admin('GET', `/${kind}`);
  const found = (body[kind] as { id: number; name: string }[]).find((one) => one.name === name);
  if (!found) throw new Error(`No ${name} among the ${kind}`);
  return found.id;
}
