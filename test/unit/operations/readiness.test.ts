import net from 'node:net';
import type { ProcessRole } from '../../../src/lib/process-roles';
import { judgeHealth } from '../../../src/http/health';
import { createReadiness, type Check } from '../../../src/http/readiness';
import { listen } from '../../../src/http/server';
import { WriteHealth } from '../../../src/ingest/write-health';
import { diskSpace, wireReadiness } from '../../../src/wiring/readiness';

/** Jest's clock does not have the promises of timers. */
jest.mock('node:timers/promises', () => ({
  setTimeout: (ms: number, value: unknown) => new Promise((resolve) => setTimeout(resolve, ms, value)),
}));

const check = (name: string, required: boolean, run: Check['run']): Check => ({ name, required, run });

test('only what is required decides; all is shown', async () => {
  const ready = createReadiness(
    [check('good', true, () => ({ ok: true, more: 1 })), check('bad', false, () => Promise.reject(new Error()))],
    () => 0,
  );
  expect(await ready()).toEqual({
    ready: true,
    checks: { good: { required: true, ok: true, more: 1 }, bad: { required: false, ok: false } },
  });
  expect(await createReadiness([check('bad', true, () => ({ ok: false }))], () => 0)()).toMatchObject({ ready: false });
});

test.each([
  ['ready', true, { one: { required: true, ok: true }, two: { required: false, ok: true, warns: true as const } }],
  ['ready', true, { one: { required: false, ok: false } }],
  ['degraded', true, { one: { required: false, ok: false, warns: true as const } }],
  ['unavailable', false, { one: { required: true, ok: false, warns: true as const } }],
])('%s is said where it is so', (status, ready, checks) => {
  expect(judgeHealth(ready, checks)).toBe(status);
});

test('an answer holds for a second, and those who ask at once share it', async () => {
  let now = 0;
  let runs = 0;
  const ready = createReadiness([check('one', true, () => ({ ok: (runs += 1) > 0 }))], () => now);
  await Promise.all(Array.from({ length: 100 }, ready));
  now = 999;
  await ready();
  expect(runs).toBe(1);
  now = 1_000;
  await ready();
  expect(runs).toBe(2);
});

test('a check that hangs has failed, and is not asked again until it ends', async () => {
  jest.useFakeTimers();
  let now = 0;
  let runs = 0;
  const ready = createReadiness(
    [check('hangs', true, () => ((runs += 1), new Promise<never>(() => undefined)))],
    () => now,
  );
  const askedNow = async () => {
    const answer = ready();
    await jest.advanceTimersByTimeAsync(2_000);
    return answer;
  };
  expect(await askedNow()).toMatchObject({ ready: false });
  now = 5_000;
  expect(await askedNow()).toMatchObject({ ready: false });
  expect(runs).toBe(1);
  jest.useRealTimers();
});

test('the last write decides, and a failure for five seconds only', () => {
  const writes = new WriteHealth();
  expect(writes.look(0)).toEqual({ ok: true, last_seconds_ago: null });
  writes.note(false, 1_000);
  expect(writes.look(6_000)).toEqual({ ok: false, last_seconds_ago: 5 });
  expect(writes.look(6_001).ok).toBe(true);
  writes.note(true, 7_000);
  expect(writes.look(7_000)).toEqual({ ok: true, last_seconds_ago: 0 });
});

test('a full disk is no place to store anything; without a folder none is needed', async () => {
  const free = (blocks: number) =>
    diskSpace('/', (() => Promise.resolve({ bavail: blocks, bsize: 1_000_000 })) as never);
  expect(await free(99)).toEqual({ ok: false, free_mb: 99 });
  expect(await free(100)).toEqual({ ok: true, free_mb: 100 });
  expect(await diskSpace('/no/such/folder')).toEqual({ ok: true, free_mb: null });
});

test('a process needs what its roles need, and shows the rest', async () => {
  const engine = { rows: () => Promise.resolve([]) } as never;
  const required = async (...roles: ProcessRole[]) => {
    const config = { roles: new Set(roles), dataDir: '/no/such/folder' };
    const snapshot = { stale: false, ageSeconds: 1.6 };
    const parts = { config, postgres: engine, clickhouse: engine, snapshot, writes: new WriteHealth(), now: () => 0 };
    const { ready, checks } = await wireReadiness(parts)();
    expect([ready, checks.configuration?.age_seconds]).toEqual([true, 2]);
    return Object.entries(checks).flatMap(([name, one]) => (one.required ? name : []));
  };
  for (const role of ['api', 'attribution'] as const)
    expect(await required(role)).toEqual(['postgres', 'clickhouse', 'disk']);
  for (const role of ['s2s', 'links', 'collect'] as const)
    expect(await required(role)).toEqual(['configuration', 'writes', 'disk']);
  expect(await required('links', 'api')).toHaveLength(5);
});

test('an address has so many connections and no more, until one of them ends', async () => {
  const refused: string[] = [];
  const options = { host: '127.0.0.1', port: 0, connections: 3 };
  const server = await listen(
    (_, res) => res.end('ok'),
    options,
    (_, reason) => refused.push(reason),
  );
  const connect = async () => {
    const socket = net.connect(server.port, '127.0.0.1');
    socket.on('error', () => undefined).write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    const isAnswered = await new Promise<boolean>((resolve) => {
      socket.once('data', () => resolve(true)).once('close', () => resolve(false));
    });
    return { socket, isAnswered };
  };
  const open = [await connect(), await connect(), await connect(), await connect(), await connect()];
  expect(open.map(({ isAnswered }) => isAnswered)).toEqual([true, true, true, false, false]);
  expect(refused).toEqual(['connections', 'connections']);
  const [first] = open;
  first?.socket.destroy();
  // The end of one reaches the server a moment later.
  let next = await connect();
  while (!next.isAnswered) next = await connect();
  open.push(next);
  expect((await connect()).isAnswered).toBe(false);
  for (const { socket } of open) socket.destroy();
  await server.close();
});
