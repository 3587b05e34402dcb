/**
 * What stands before the work of a report, in its order: key, billing, feature, parameters, then the minute
 * (docs/contract/main-api.md).
 */
import Router from '@koa/router';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import { ApiError, UnavailableError } from '../../../src/errors';
import { createApp } from '../../../src/http/apps';
import { caller, readCaller, requireActiveBilling, requireFeature, type Access } from '../../../src/http/auth';
import { withReportLimit } from '../../../src/http/limits';
import { listen, type HttpServer } from '../../../src/http/server';
import type { ConfigSnapshot, Project } from '../../../src/configuration/config-snapshot';
import { sha256 } from '../../../src/lib/secrets';

const project = (id: number, suspended: boolean): Project => ({
  id,
  name: 'Project',
  accountId: 1,
  billing: { suspended, paymentLink: 'https://pay.example' },
  primaryDomain: null,
  website: null,
  webCampaigns: false,
  createdAt: new Date(0),
});
const projects = new Map(
  [
    ['good', project(1, false)],
    ['late', project(2, true)],
    ['late-too', project(4, true)],
    ['off', project(4, false)],
    ['failing', project(1, false)],
    ['away', project(1, false)],
  ].map(([key, one]) => [sha256(key as string), one as Project]),
);
const snapshot = { projectOfKey: (_kind: string, hash: string) => projects.get(hash) } as unknown as ConfigSnapshot;
// Nobody is signed in here: test/integration/people/people.test.ts.
const sessions = {
  person: () => Promise.resolve(undefined),
  browser: () => ({ address: '127.0.0.1', userAgent: '' }),
} as unknown as Access['sessions'];

let server: HttpServer;
const failures: unknown[] = [];
beforeAll(async () => {
  const router = new Router();
  const guards = [
    caller({ snapshot, sessions }, 'reports'),
    requireActiveBilling,
    requireFeature(({ id }) => id !== 4, 'Not enabled.'),
  ] as const;
  for (const report of ['app', 'web']) {
    const limiter = new RateLimiterMemory({ keyPrefix: report, points: 1, duration: 3_600 });
    router.get(`/${report}`, ...guards, async (ctx) => {
      if (ctx.query.limit === '0') throw new ApiError(422, 'Invalid limit.');
      await withReportLimit(limiter, readCaller(ctx).key, () => {
        if (ctx.get('service-key') === 'failing') return Promise.reject(new Error('secret'));
        if (ctx.get('service-key') === 'away') return Promise.reject(new UnavailableError('secret'));
        if (ctx.query.refuse) return Promise.reject(new ApiError(400, 'Refused.'));
        return Promise.resolve();
      });
      ctx.body = { status: 200 };
    });
  }
  const onRefusal = () => undefined;
  const options = { onError: (error: unknown) => failures.push(error), onRefusal, isClosing: () => false };
  server = await listen(createApp(options, [], [router]).callback(), { host: '127.0.0.1', port: 0 }, onRefusal);
});
afterAll(() => server.close());

async function get(path: string, key?: string) {
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    headers: key ? { 'service-key': key } : {},
  });
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    body: (await response.json()) as Record<string, unknown>,
  };
}

test('a key comes before billing, billing before the feature, the feature before the parameters', async () => {
  expect((await get('/app?limit=0')).status).toBe(401);
  expect((await get('/app?limit=0', 'wrong')).status).toBe(401);
  for (const key of ['late', 'late-too'])
    expect(await get('/app?limit=0', key)).toMatchObject({
      status: 402,
      body: { msg: 'The billing account is suspended.', status: 402, payment_link: 'https://pay.example' },
    });
  expect(await get('/app?limit=0', 'off')).toMatchObject({ status: 403, body: { msg: 'Not enabled.', status: 403 } });
  expect((await get('/app?limit=0', 'good')).status).toBe(422);
});

test('each report has a minute of its own for each key; who comes too soon is told to wait 60 seconds', async () => {
  expect((await get('/app', 'good')).status).toBe(200);
  for (let i = 0; i < 2; i++)
    expect(await get('/app', 'good')).toMatchObject({
      status: 429,
      retryAfter: '60',
      body: { msg: 'Rate limit exceeded. Please try again later.', status: 429 },
    });
  // An invalid request is answered as invalid, although it comes too soon.
  expect((await get('/app?limit=0', 'good')).status).toBe(422);
  expect((await get('/web', 'good')).status).toBe(200);
  expect((await get('/web', 'good')).status).toBe(429);
});

test('a failure of ours gives the point back; an answer that the caller brought about does not', async () => {
  for (let i = 0; i < 3; i++)
    expect(await get('/app', 'failing')).toMatchObject({
      status: 500,
      body: { msg: 'Internal server error', status: 500 },
    });
  for (let i = 0; i < 3; i++) expect((await get('/app', 'away')).status).toBe(503);
  expect(failures).toHaveLength(3);
  projects.set(sha256('once'), project(1, false));
  expect((await get('/web?refuse=1', 'once')).status).toBe(400);
  expect((await get('/web', 'once')).status).toBe(429);
});
