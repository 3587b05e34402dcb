/** Requests mutated from good ones: over every documented route, links and collectors. */
import http from 'node:http';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import type { Service } from '../service';

export interface Route {
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}
export interface MutatedRequest extends Route {
  readonly headers: Readonly<Record<string, string>>;
  readonly payload: Buffer;
}

/** Every operation of the reference with the example of its body, but those that would take the keys away. */
export async function documentedRoutes(service: Pick<Service, 'request'>): Promise<Route[]> {
  const { paths } = (await (await service.request('/openapi.json')).json()) as {
    paths: Record<string, Record<string, { requestBody?: { content: Record<string, { example?: unknown }> } }>>;
  };
  const documented = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { requestBody }]) => ({
      method: method.toUpperCase(),
      path: path.replaceAll(/\{[^}]*\}/g, 'web'),
      body: requestBody?.content['application/json']?.example,
    })),
  );
  return [...documented, { method: 'GET', path: '/web', body: undefined }];
}

/** The answer's status; undefined where the connection ended without one. */
export function sendMutated(
  service: Pick<Service, 'url'>,
  { method, path, headers, payload }: MutatedRequest,
): Promise<number | undefined> {
  return new Promise((resolve) => {
    const { hostname, port } = new URL(service.url);
    const request = http.request({ hostname, port, method, path, headers, agent: false }, (response) => {
      response.resume();
      response.on('close', () => resolve(response.statusCode));
    });
    request.on('error', () => resolve(undefined));
    request.end(payload.length > 0 ? payload : undefined);
  });
}

const nested = fc.integer({ min: 1, max: 20_000 }).map((levels) => '['.repeat(levels) + ']'.repeat(levels));
const wide = fc.integer({ min: 1, max: 400_000 }).map((n) => `[${'{},'.repeat(n)}{}]`);
const odd = fc.constantFrom('null', '0', '-1', '1e999', 'true', '""', '"\\u0000"', '"\\ud800"', '[]', '{}', '[[]]');
const long = fc.integer({ min: 1, max: 300_000 }).map((n) => JSON.stringify('x'.repeat(n)));
const value = fc.oneof(odd, fc.json(), nested, wide, long);

/** A JSON text in which one value of the body, chosen by a number, is another. */
function replaceOne(body: unknown, at: number, by: string): string {
  const mark = '@@here@@';
  let left = at;
  const put = (one: unknown): unknown => {
    if (left-- === 0) return mark;
    if (Array.isArray(one)) return one.map(put);
    if (typeof one !== 'object' || one === null) return one;
    return Object.fromEntries(Object.entries(one).map(([name, part]) => [name, put(part)]));
  };
  return JSON.stringify(put(body)).replace(`"${mark}"`, () => by);
}

const parameter = fc.oneof(
  fc.constantFrom(
    'c=web',
    'tid=1',
    'page=0',
    'limit=1e9',
    'from=2026-13-01',
    'utm_source=%ff',
    '%',
    '&&',
    '__proto__=1',
  ),
  fc.string({ unit: 'binary-ascii', maxLength: 40 }).map(encodeURIComponent),
  fc.tuple(fc.constantFrom('utm_a', 'c', '%ff%', 'x'), fc.integer({ min: 1, max: 20_000 })).map(([name, n]) =>
    Array.from({ length: n }, (_, i) => `${name}${i}=1`)
      .join('&')
      .slice(0, 120_000),
  ),
);
const header = fc.constantFrom<Record<string, string>>(
  {},
  { 'Content-Encoding': 'br' },
  { 'Content-Encoding': 'nonsense' },
  { 'Content-Type': 'text/csv' },
  { 'Content-Type': 'multipart/form-data; boundary=x' },
  { 'X-Forwarded-For': `${'1.1.1.1,'.repeat(5_000)}[` },
  { 'User-Agent': '('.repeat(50_000) },
  { 'Accept-Encoding': ','.repeat(20_000) },
  { 'If-None-Match': '"'.repeat(20_000) },
  { Cookie: ';'.repeat(20_000) },
  { Expect: 'nothing' },
);
/** `good` are the headers of keys that the service knows, `domain` is a tracking domain. */
export function mutatedRequests(routes: readonly Route[], good: Record<string, string>, domain: string) {
  const host = fc.oneof(
    { weight: 5, arbitrary: fc.constant('localhost') },
    { weight: 4, arbitrary: fc.constantFrom('', '[', '[::1', domain, `${domain}.`, `${domain}:x`, 'x'.repeat(10_000)) },
  );
  const keys = fc.constantFrom<Record<string, string>>(
    good,
    good,
    good,
    {},
    { 'service-key': 'wrong', authorization: 'Bearer x' },
  );

  return fc
    .record({
      // Each route as often as any other, those at the end of the document too.
      route: fc.noBias(fc.nat({ max: routes.length - 1 })).map((n) => routes[n] as Route),
      at: fc.nat({ max: 40 }),
      by: value,
      parameters: fc.oneof(fc.constant([]), fc.array(parameter, { maxLength: 3 })),
      header,
      host,
      keys,
      gzip: fc.boolean(),
      cut: fc.nat({ max: 9 }).map((n) => n === 0),
    })
    .map(({ route, at, by, parameters, header: more, host: name, keys: given, gzip, cut }): MutatedRequest => {
      const text = route.body === undefined ? '' : replaceOne(route.body, at, by);
      const plain = Buffer.from(cut ? text.slice(0, -1) : text);
      const payload = gzip && plain.length > 0 ? gzipSync(plain) : plain;
      const query = parameters.length > 0 ? `?${parameters.join('&')}` : '';
      const headers = {
        Host: name,
        ...given,
        ...(gzip ? { 'Content-Encoding': 'gzip' } : {}),
        ...more,
        ...(payload.length > 0 ? { 'Content-Length': String(payload.length) } : {}),
      };
      return { ...route, path: route.path + query, headers, payload };
    });
}
