/**
 * The OpenAPI document as it is served, requests made from it, and the interactive reference
 * (docs/contract/running.md).
 */
import fs from 'node:fs';
import path from 'node:path';
import { readApiReference } from '../../../src/wiring/api-reference';
import { LIMITS_OFF } from '../../support/workspace/campaigns';
import { appEvent, collectApp } from '../../support/collect/collect-client';
import { openLink } from '../../support/links/links';
import { paths, type DocumentedOperation } from '../../support/http/openapi';
import { readOperator, type Browser } from '../../support/people/person';
import { readPostgres } from '../../support/postgres';
import { ADMIN_TOKEN, eventually, startService, temporaryFolder, type RunningService } from '../../support/service';

const apiReference = readApiReference();

const SERVER_KEY = 'server-key-of-the-example';
const APP_KEY = 'app-key-of-the-example';
const WEB_KEY = 'web-key-of-the-example';
const PARTNER_TOKEN = 'partner-token-of-the-example';

/** Backups stay below it; what an example names is not on every machine. */
const place = temporaryFolder();
let service: RunningService;
let operator: Browser;
beforeAll(async () => {
  service = await startService({ ...LIMITS_OFF, LIMIT_SIGN_IN: 'off', BACKUP_DIR: place, EXPORT_DIR: place });
  const document = structuredClone(
    paths['/admin/v1/workspace']?.put?.requestBody?.content['application/json']?.example,
  ) as { partners: Record<string, unknown>[]; projects: Record<string, unknown>[] };
  (document.partners[0] as Record<string, unknown>).tokens = [PARTNER_TOKEN];
  const project = document.projects[0] as Record<string, unknown>;
  Object.assign(project, {
    // The first app and the first listing are named by no partner and no campaign: they can be deleted.
    apps: [{ platform: 'ANDROID', app_id: 'com.acme.former' }, ...(project.apps as object[])],
    store_listings: [{ store_listing_id: 'former', name: 'Former', platform: 'ANDROID' }],
    server_keys: [SERVER_KEY],
    app_keys: [APP_KEY],
    web_keys: [WEB_KEY],
    web_campaigns: true,
    // Its spend is taken, and an upload of it undone.
    network_accounts: [{ network: 'META', external_customer_id: 'act_1' }],
    exports: [
      {
        name: 'Clicks',
        kind: 'clicks',
        format: 'parquet',
        every: 'day',
        destination: { type: 'folder', path: 'clicks' },
      },
    ],
  });
  await service.apply(document);
  // An export that the project has declared itself, which alone it may change and remove.
  const declared = await service.request('/api/v1/exports', {
    method: 'POST',
    headers: { 'service-key': SERVER_KEY },
    body: JSON.stringify({ name: 'Own', kind: 'installs', format: 'csv', every: 'day', destination: OWN_FOLDER }),
  });
  expect(declared.status).toBe(201);
  operator = await readOperator(service);
  // What examples ask for, and no example makes: an install that is decided, and the receipt of a person forgotten.
  await collectApp(
    service,
    [appEvent('install', { install_id: 'install-1', gaid: '38400000-8cf0-11bd-b23e-10b96e40000d' })],
    { 'service-key': SERVER_KEY },
  );
  expect((await service.admin('DELETE', '/projects/1/devices/user/somebody-else')).status).toBe(202);
  // An upload of spend that is undone.
  const uploaded = await service.request('/collect/v1/spend/csv', {
    method: 'POST',
    headers: { 'service-key': SERVER_KEY },
    body: paths['/collect/v1/spend/csv']?.post?.requestBody?.content['text/csv']?.example as string,
  });
  expect(uploaded.status).toBe(200);
  // A process that is left behind, whose log nobody waits for.
  const postgres = readPostgres(service);
  await postgres.rows(`INSERT INTO ingest_processes (name, host, received_up_to, published_at, backlog)
    VALUES ('7d5e3c7e-6f0b-4c1c-9d5a-3f1f6c1f4f10', 'gone', now() + interval '1 day', now() - interval '1 day', '[]')`);
  await postgres.close();
  // Names of readers are random; the example's is one of them.
  await service.clickhouse.insert({
    table: 'adtrail.project_readers',
    values: [{ user: 'reader_1_0a1b2c3d', project_id: 1, sha256: 'of no password' }],
    format: 'JSONEachRow',
  });
  await eventually(
    'the install is decided',
    async () =>
      (await service.admin('GET', '/projects/1/installs/install-1/explain')).body.decided === true ? true : undefined,
    30_000,
  );
});
afterAll(async () => {
  await service.dispose();
  fs.rmSync(place, { recursive: true, force: true });
});

const OWN_FOLDER = { type: 'folder', path: 'installs' };

interface Described extends DocumentedOperation {
  readonly at: string;
  readonly method: string;
  readonly security: readonly Record<string, unknown>[];
}
const described = Object.entries(paths).flatMap(([at, item]) =>
  Object.entries(item).map(([method, operation]) => ({ ...operation, at, method: method.toUpperCase() })),
);
const operations = described.filter(({ servers }) => !servers);
const onDomains = described.filter(({ servers }) => servers);

const credentials = (operation: Described): Record<string, string> => {
  const [way] = operation.security;
  const origin = { Origin: service.url };
  if (!way) return operation.at.startsWith('/auth/v1') ? origin : {};
  if ('session' in way) return { Cookie: operator.cookie, ...origin };
  if ('serviceKey' in way) return { 'service-key': SERVER_KEY };
  if ('appKey' in way) return { 'app-key': APP_KEY };
  if ('webKey' in way) return { 'web-key': WEB_KEY };
  return 'adminToken' in way ? { Authorization: `Bearer ${ADMIN_TOKEN}` } : { 'X-Service-Token': PARTNER_TOKEN };
};

/** The URL that the examples of the parameters make. */
function makeUrl({ at, parameters = [] }: Described): string {
  const query = new URLSearchParams();
  let url = at;
  for (const { name, in: where, example } of parameters) {
    if (where === 'path') url = url.replace(`{${name}}`, encodeURIComponent(example as string | number));
    else if (example !== undefined) query.set(name, example as string);
  }
  return query.size > 0 ? `${url}?${query.toString()}` : url;
}

const makeExample = ({ operationId, requestBody }: Described): unknown =>
  operationId === 'takeBackup'
    ? { to: path.join(place, 'backups') }
    : Object.values(requestBody?.content ?? {})[0]?.example;

const send = (operation: Described, body: unknown = makeExample(operation), headers = credentials(operation)) =>
  service.request(makeUrl(operation), {
    method: operation.method,
    headers,
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });

test('the document needs no key, is the one in the code, and answers HEAD', async () => {
  const response = await service.request('/openapi.json');
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(await response.json()).toEqual(apiReference);
  const head = await service.request('/openapi.json', { method: 'HEAD' });
  expect([head.status, head.headers.get('content-length')]).toEqual([200, response.headers.get('content-length')]);
});

describe('requests made from it', () => {
  // What an operation deletes the others need: deletions come last.
  // Schedules end with their board.
  const rank = ({ method, operationId }: Described) =>
    method !== 'DELETE' ? 0 : operationId === 'deleteSchedule' ? 1 : 2;
  const inOrder = [...operations].sort((a, b) => rank(a) - rank(b));

  test.each(
    operations.filter(({ security }) => security.length > 0).map((operation) => [operation.operationId, operation]),
  )('%s without credentials is 401', async (_, operation) => {
    expect((await send(operation, undefined, {})).status).toBe(401);
  });

  // Without a provider its route is not there, and reads no body: it has tests of its own.
  // What takes lines beside JSON takes lists, of which each element has its own answer: batch.test.ts.
  const takesJson = ({ operationId, requestBody }: Described) =>
    operationId !== 'finishOidcWithCode' &&
    requestBody?.content['application/json'] !== undefined &&
    requestBody.content['application/x-ndjson'] === undefined;
  test.each(operations.filter(takesJson).map((operation) => [operation.operationId, operation]))(
    '%s with other bodies is answered as documented',
    async (_, operation) => {
      for (const body of ['', '[]', 'null', '"text"', '{', '{"__proto__": {"a": 1}}'])
        expect((await send(operation, body)).status).toBe(400);
      const example = operation.requestBody?.content['application/json']?.example as Record<string, unknown>;
      for (const field of Object.keys(example)) {
        for (const value of [12345, { a: [] }, '\u{1F600}\u202E<b>', [[]], null, true, ['', '']])
          expect(
            (await send(operation, { ...example, custom_display_id: 'taken', [field]: value })).status,
          ).toBeLessThan(500);
      }
    },
  );

  test.each(onDomains.map((operation) => [operation.operationId, operation]))(
    '%s with its examples succeeds, on a tracking domain only',
    async (_, operation) => {
      // A link that has a preview shows it to scrapers alone.
      const statuses = Object.keys(operation.responses);
      const status = statuses.includes('302') ? '302' : statuses[0];
      expect((await openLink(service, makeUrl(operation))).status).toBe(Number(status));
      // At / the service's own address has the dashboard.
      const elsewhere = operation.at === '/' ? 200 : 404;
      expect((await openLink(service, makeUrl(operation), { host: '127.0.0.1' })).status).toBe(elsewhere);
    },
  );

  // What is asked of people depends on who is signed in, and changes it: people.test.ts. A public board needs the token
  // of a link, which no example has: boards.test.ts. Mails need a server: alerts.test.ts.
  const repeatable = inOrder.filter(
    ({ at, operationId }) =>
      !at.startsWith('/auth/v1') && !at.startsWith('/public/v1') && operationId !== 'sendSchedule',
  );
  test.each(repeatable.map((operation) => [operation.operationId, operation]))(
    '%s with its examples succeeds',
    async (_, operation) => {
      const response = await send(operation);
      expect({ status: response.status, text: response.ok ? '' : await response.text() }).toEqual({
        status: Number(Object.keys(operation.responses)[0]),
        text: '',
      });
    },
  );
});

// That every router tells cases apart: test/unit/http/router.test.ts. On a tracking domain every other path is a link.
test('a path in capitals is none, in each part of the API', async () => {
  const parts = new Map(operations.map((operation) => [operation.at.split('/').slice(0, 3).join('/'), operation]));
  expect(parts.size).toBeGreaterThan(5);
  for (const operation of parts.values()) {
    const [at = '', query] = makeUrl(operation).split('?');
    if (!/[a-z]/.test(at)) continue;
    const capitals = query ? `${at.toUpperCase()}?${query}` : at.toUpperCase();
    const { status } = await fetch(service.url + capitals, {
      method: operation.method,
      headers: credentials(operation),
    });
    expect([capitals, status]).toEqual([capitals, 404]);
  }
});

describe('interactive reference', () => {
  const get = async (path: string) => {
    const response = await service.request(path);
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      policy: response.headers.get('content-security-policy'),
      text: await response.text(),
    };
  };

  test('is a page that needs no key and asks no other host', async () => {
    const { status, type, policy, text } = await get('/docs');
    expect([status, type]).toEqual([200, 'text/html; charset=utf-8']);
    expect(policy).toMatch(/^default-src 'self';/);
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(text).not.toMatch(/https?:\/\/|<script>|<style>|\son\w+=/);
    const named = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path as string);
    expect(named).toHaveLength(4);
    for (const path of named) {
      expect((await get(path)).status).toBe(200);
      const head = await service.request(path, { method: 'HEAD' });
      expect([head.status, await head.text()]).toEqual([200, '']);
    }
  });

  test('serves its own files only', async () => {
    for (const path of [
      '/docs/package.json',
      '/docs/index.html',
      '/docs/..%2Fpackage.json',
      '/docs/%2e%2e/%2e%2e/package.json',
      '/docs/__proto__',
      '/docs/toString',
      '/docs/start.js/x',
    ])
      expect((await get(path)).status).toBe(404);
  });
});
