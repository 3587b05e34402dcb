/**
 * The limits of the main API: by key, by source address, over worker processes and over Redis (docs/contract.md,
 * Running and Main API).
 */
import { ownNames } from '../support/own-names';
import { idByName } from '../support/s2s-client';
import { eventually, type RunningService } from '../support/service';
import { sharedService, startBeside } from '../support/shared-service';
import { noRedis, noRedisOfOurOwn, startRedis, testUnless, type RedisServer } from '../support/redis';

const LIMITED = { msg: 'Rate limit exceeded. Please try again later.', status: 429 };
const shared = sharedService();
const document = {
  accounts: [{ name: 'Limited' }],
  projects: [
    {
      name: 'Limited',
      account: 'Limited',
      timezone: 'UTC',
      server_keys: ['key-1', 'key-2', 'key-3', 'key-4'],
      domains: [{ name: 'go.limited.example' }],
    },
  ],
};
const own = ownNames('limits-api');
const workspace = own.document(document);
// Windows so long that no test outlives one.
const LONG = '3600s';

const OFF = { LIMIT_IP: 'off', LIMIT_DATA: 'off', LIMIT_MANAGEMENT: 'off' };
const services: RunningService[] = [];
/** A service for one test, stopped after it: idle services slow down those that are measured. */
async function start(env: NodeJS.ProcessEnv): Promise<RunningService> {
  const service = await startBeside(shared, { ...OFF, ...env });
  services.push(service);
  return service;
}
afterEach(() => Promise.all(services.splice(0).map((service) => service.dispose())));

const list = (service: RunningService, key: string, query = '', headers: Record<string, string> = {}) =>
  service.request(`/api/v1/campaigns${query}`, { headers: { 'service-key': own(key), ...headers } });
const statuses = async (requests: Promise<Response>[]) => {
  const counts: Record<number, number> = {};
  for (const { status } of await Promise.all(requests)) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};
const times = <T>(n: number, make: (i: number) => T) => Array.from({ length: n }, (_, i) => make(i));

describe('by key', () => {
  let service: RunningService;
  beforeAll(async () => {
    service = await startBeside(shared, { ...OFF, LIMIT_DATA: `5/${LONG}`, LIMIT_MANAGEMENT: `3/${LONG}` });
    await service.apply(workspace);
  });
  afterAll(() => service.dispose());

  test('exactly as many requests pass, the rest learn when to retry; other keys are not affected', async () => {
    expect(await statuses(times(20, () => list(service, 'key-1')))).toEqual({ 200: 5, 429: 15 });
    const refused = await list(service, 'key-1');
    expect(await refused.json()).toEqual(LIMITED);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3000);
    expect((await list(service, 'key-2')).status).toBe(200);
  });

  test('a request that is refused as invalid does not count', async () => {
    expect(await statuses(times(20, () => list(service, 'key-3', '?page=0')))).toEqual({ 422: 20 });
    expect(await statuses(times(6, () => list(service, 'key-3')))).toEqual({ 200: 5, 429: 1 });
    // The answer says what is wrong with it, not that it came too often.
    expect((await list(service, 'key-3', '?page=0')).status).toBe(422);
  });

  test('management has a limit of its own, shared by create, edit and delete', async () => {
    const send = (method: string, at: string, body?: object) =>
      service.request(`/api/v1${at}`, {
        method,
        headers: { 'service-key': own('key-1') },
        ...(body && { body: JSON.stringify(body) }),
      });
    expect((await send('POST', '/create-campaign', { name: 'One', custom_display_id: 'one' })).status).toBe(201);
    expect((await send('PATCH', '/campaigns/one', { name: 'Two' })).status).toBe(200);
    expect((await send('DELETE', '/campaigns/one')).status).toBe(204);
    const refused = await send('POST', '/create-campaign', { name: 'Four', custom_display_id: 'four' });
    expect([refused.status, await refused.json()]).toEqual([429, LIMITED]);
    expect((await list(service, 'key-4', '?filter=ALL')).status).toBe(200);
    const { campaigns } = (
      (await (await list(service, 'key-4')).json()) as { data: { campaigns: { display_id: string }[] } }
    ).data;
    expect(campaigns.map((campaign) => campaign.display_id)).not.toContain('four');
  });
});

describe('by source address', () => {
  test('everything under /api/v1 counts, before the key is looked at; nothing else does', async () => {
    const service = await start({ LIMIT_IP: `6/${LONG}` });
    await service.apply(workspace);
    for (const [at, status] of [
      ['/campaigns', 401],
      ['/nothing', 404],
      ['/create-campaign', 405],
    ] as const)
      expect((await service.request(`/api/v1${at}`)).status).toBe(status);
    expect(await statuses(times(10, () => list(service, 'key-1')))).toEqual({ 200: 3, 429: 7 });
    expect((await list(service, 'wrong')).status).toBe(429);
    expect((await service.request('/healthz')).status).toBe(200);
    expect((await service.admin('GET', '/projects')).status).toBe(200);
    // A client that names another address is not believed.
    expect((await list(service, 'key-1', '', { 'X-Forwarded-For': '203.0.113.9' })).status).toBe(429);
  });

  test('behind a trusted proxy the client counts, an IPv6 one with its whole /64', async () => {
    const service = await start({ LIMIT_IP: `4/${LONG}`, TRUST_PROXY: '1' });
    await service.apply(workspace);
    const from = (...addresses: string[]) => list(service, 'key-1', '', { 'X-Forwarded-For': addresses.join(', ') });
    expect(await statuses(times(6, (i) => from(`2001:db8:1:2::${i + 1}`)))).toEqual({ 200: 4, 429: 2 });
    expect((await from('2001:db8:1:3::1')).status).toBe(200);
    expect(await statuses(times(6, () => from('198.51.100.7')))).toEqual({ 200: 4, 429: 2 });
    // Only the last address is from the proxy; anybody can have written those before it.
    expect((await from('192.0.2.1', '198.51.100.7')).status).toBe(429);
    expect((await from('198.51.100.7', '192.0.2.1')).status).toBe(200);
  });
});

describe('two worker processes count together, exactly', () => {
  test('by key', async () => {
    const service = await start({ WORKERS: '2', LIMIT_DATA: `20/${LONG}`, LIMIT_MANAGEMENT: `10/${LONG}` });
    await service.apply(workspace);
    const id = await idByName(service, 'projects', own('Limited'));
    const campaigns = async () => (await service.admin('GET', `/projects/${id}/campaigns`)).body;
    const before = (await campaigns()).pagination as { total: number };
    expect(await statuses(times(80, () => list(service, 'key-1')))).toEqual({ 200: 20, 429: 60 });
    const create = (i: number) =>
      service.request('/api/v1/create-campaign', {
        method: 'POST',
        headers: { 'service-key': own('key-1') },
        body: JSON.stringify({ name: `${i}` }),
      });
    expect(await statuses(times(40, create))).toEqual({ 201: 10, 429: 30 });
    expect((await campaigns()).pagination).toMatchObject({ total: before.total + 10 });
  });

  test('by source address, over all endpoints', async () => {
    const service = await start({ WORKERS: '2', LIMIT_IP: `30/${LONG}` });
    await service.apply(workspace);
    const answers = await statuses(
      times(90, (i) =>
        i % 3 === 0 ? service.request('/api/v1/nothing') : list(service, i % 3 === 1 ? 'key-1' : 'wrong'),
      ),
    );
    expect(answers[429]).toBe(60);
    expect((answers[200] ?? 0) + (answers[401] ?? 0) + (answers[404] ?? 0)).toBe(30);
  });
});

describe('over Redis', () => {
  let redis: RedisServer | undefined;
  afterAll(() => redis?.dispose());

  testUnless(noRedis)('two services count together, exactly', async () => {
    redis = await startRedis();
    // A Redis that is not the suite's may know the keys of earlier runs.
    const key = `key-${process.pid}-${Date.now()}`;
    const two = [
      await start({ REDIS_URL: redis.url, LIMIT_DATA: `20/${LONG}` }),
      await start({ REDIS_URL: redis.url, LIMIT_DATA: `20/${LONG}` }),
    ];
    for (const service of two)
      await service.apply(own.document({ ...document, projects: [{ ...document.projects[0], server_keys: [key] }] }));
    expect(await statuses(times(80, (i) => list(two[i % 2] as RunningService, key)))).toEqual({ 200: 20, 429: 60 });
  });

  testUnless(noRedisOfOurOwn)(
    'Redis killed under load costs no request; each process goes on for itself, and both share again once Redis is ' +
      'back',
    async () => {
      const killable = await startRedis({ ownOnly: true });
      const env = { REDIS_URL: killable.url, LIMIT_DATA: '50/5s', LIMIT_MANAGEMENT: '50/5s', LIMIT_IP: '100000/5s' };
      const two = [await start(env), await start(env)];
      try {
        for (const service of two) await service.apply(workspace);
        const seen: Record<number, number> = {};
        let sent = 0;
        let loading = true;
        const load = times(12, async (i) => {
          for (let n = 0; loading; n++) {
            const service = two[i % 2] as RunningService;
            sent += 1;
            // A request that is lost rejects, and fails the test.
            const { status } =
              n % 5 === 0
                ? await service.request('/api/v1/create-campaign', {
                    method: 'POST',
                    headers: { 'service-key': own('key-1') },
                    body: '{"name":"Under load"}',
                  })
                : await list(service, 'key-1');
            seen[status] = (seen[status] ?? 0) + 1;
          }
        });
        const more = async (number: number) => {
          const goal = sent + number;
          await eventually(`${number} more requests`, () => (sent >= goal ? true : undefined), 60_000);
        };
        try {
          await more(200);
          await killable.kill();
          await more(800);
          await killable.restart();
          await more(200);
        } finally {
          loading = false;
          await Promise.all(load);
        }
        expect(Object.keys(seen).filter((status) => !['200', '201', '429'].includes(status))).toEqual([]);
        expect(Object.values(seen).reduce((sum, n) => sum + n, 0)).toBe(sent);
        expect(seen[200]).toBeGreaterThan(0);
        expect(seen[429]).toBeGreaterThan(0);
        for (const service of two) expect(service.output()).not.toMatch(/Error:/);

        await eventually(
          'both count in one place again',
          async () => {
            const started = performance.now();
            const answers = await statuses(times(200, (i) => list(two[i % 2] as RunningService, 'key-2')));
            // A burst that spans two windows says nothing.
            return performance.now() - started < 4_000 && answers[200] === 50 ? true : undefined;
          },
          40_000,
        );
      } finally {
        await killable.dispose();
      }
    },
    360_000,
  );
});
