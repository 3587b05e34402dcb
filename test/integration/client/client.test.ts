/** `@adtrail/client` against the service: every kind of request, repeats, pages, streams, keys and errors. */
import { inspect } from 'node:util';
import v8 from 'node:v8';
import vm from 'node:vm';
import { ApiFailure, createClient, type ClientOptions } from '../../../clients/typescript/src/index';
import { ROW_BYTES, startGateway, type Gateway } from '../../support/client/gateway';
import { idByName, newTid } from '../../support/s2s/s2s-client';
import { sharedService } from '../../support/shared-service';
import { ADMIN_TOKEN, eventually } from '../../support/service';
import { ownNames } from '../../support/workspace/own-names';
import { GAID, TOKEN, workspace } from '../../support/workspace/workspace';

const service = sharedService();
const own = ownNames('typed-client');
const KEY = own('key');
const PARTNER = own(TOKEN);
const target = { c: 'AbC123', app_id: 'com.acme.shop', gaid: GAID };
/** Quick enough for tests where nobody says how long to wait. */
const start = (more: Partial<ClientOptions> = {}) =>
  createClient({ url: gateway.url, serviceKey: KEY, partnerToken: PARTNER, adminToken: ADMIN_TOKEN, ...more });

let gateway: Gateway;
let projectId: number;
beforeAll(async () => {
  gateway = await startGateway(service.url);
  const [first, ...others] = workspace.projects;
  await service.apply(own.document({ ...workspace, projects: [{ ...first, server_keys: ['key'] }, ...others] }));
  projectId = await idByName(service, 'projects', own('Acme Shop'));
});
beforeEach(() => gateway.play());
afterAll(() => gateway.stop());

const catchFailure = async (asked: Promise<unknown>): Promise<ApiFailure> => {
  const failure = await asked.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(ApiFailure);
  return failure as ApiFailure;
};
v8.setFlagsFromString('--expose-gc');
const collectGarbage = vm.runInNewContext('gc') as () => void;
/** Bytes that are in use, without what only waits to be collected. */
function measureMemory(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
const NOTE = { day: '2026-01-05', text: 'A note' };
const sendNote = (client = start()) => client.POST('/api/v1/annotations', { body: NOTE });
const ALWAYS_BUSY = Array.from({ length: 9 }, () => ({ status: 503, headers: { 'Retry-After': '0' } }));

describe('requests', () => {
  test('each method, with the key that its path takes and no other', async () => {
    const client = start();
    const { data: made, response } = await sendNote(client);
    expect(response.status).toBe(201);
    const params = { path: { id: made.id } };
    await client.PUT('/api/v1/annotations/{id}', { params, body: { ...NOTE, text: 'Another' } });
    const range = { params: { query: { from: '2026-01-01', to: '2026-01-31' } } };
    const { data: listed } = await client.GET('/api/v1/annotations', range);
    expect(listed.annotations).toMatchObject([{ id: made.id, text: 'Another' }]);
    expect((await client.DELETE('/api/v1/annotations/{id}', { params })).data).toBeUndefined();
    const edited = { params: { path: { display_id: 'second' } }, body: { name: 'Second' } };
    expect((await client.PATCH('/api/v1/campaigns/{display_id}', edited)).data.status).toBe(200);
    const tid = newTid('client');
    const { data: click } = await client.GET('/v1/click', { params: { query: { ...target, tid } } });
    expect(click.status).toBe('accepted');
    const { data: projects } = await client.GET('/admin/v1/projects');
    expect(projects.projects.map(({ id }) => id)).toContain(projectId);
    expect((await client.GET('/healthz')).data).toEqual({ status: 'ok' });
    const sent = ['service-key', 'x-service-token', 'authorization'];
    const keys = gateway.seen.map(({ headers }) => sent.filter((name) => headers[name] !== undefined).join());
    expect(keys).toEqual([...Array<string>(5).fill('service-key'), 'x-service-token', 'authorization', '']);
  });

  test('texts and files, and data that is missing', async () => {
    const client = start();
    const body = { source: 'app' as const, metrics: ['installs'], from: '2026-01-01', to: '2026-01-02' };
    const query = { format: 'csv' as const };
    const csv = await client.POST('/api/v1/reporting/query', { params: { query }, body, parseAs: 'text' });
    expect(csv.data).toMatch(/^installs\n/);
    const file = { params: { query: { format: 'parquet' as const } }, body, parseAs: 'arrayBuffer' as const };
    const { data: bytes } = await client.POST('/api/v1/reporting/query', file);
    expect(Buffer.from(bytes).subarray(0, 4).toString()).toBe('PAR1');
    const asked = { params: { query: { user_id: own('nobody') } } };
    expect((await client.GET('/api/v1/get-attribution-result', asked)).data).toBeUndefined();
    const unreadable = client.POST('/api/v1/reporting/query', { params: { query }, body });
    expect(await catchFailure(unreadable)).toMatchObject({ status: 200, code: 'unreadable' });
  });
});

describe('bodies that are no JSON', () => {
  const headers = { 'Content-Type': 'application/x-ndjson' };
  const encode = (tid: string) => new TextEncoder().encode(`${JSON.stringify({ kind: 'click', ...target, tid })}\n`);
  const accepted = { accepted: 2, rejected: 0 };

  test('are sent as they are, and again where that is safe', async () => {
    const bytes = Buffer.concat([encode(newTid('client')), encode(newTid('client'))]);
    for (const body of [new Blob([bytes]), Uint8Array.from(bytes), Uint8Array.from(bytes).buffer]) {
      gateway.play({ status: 503, headers: { 'Retry-After': '0' } }, 'hand-on');
      expect((await start().POST('/v1/batch', { body, headers })).data).toMatchObject(accepted);
      expect(gateway.seen).toHaveLength(2);
    }
  });

  test('a stream is sent as it is read, once', async () => {
    const stream = () => {
      const rows = [encode(newTid('client')), encode(newTid('client'))];
      return new ReadableStream<Uint8Array>({
        pull: (controller) => {
          const row = rows.shift();
          if (row) controller.enqueue(row);
          else controller.close();
        },
      });
    };
    expect((await start().POST('/v1/batch', { body: stream(), headers })).data).toMatchObject(accepted);
    expect(gateway.seen[0]?.headers).toMatchObject({ 'transfer-encoding': 'chunked' });
    gateway.play({ status: 503, headers: { 'Retry-After': '0' } }, 'hand-on');
    const failure = await catchFailure(start().POST('/v1/batch', { body: stream(), headers }));
    expect(failure).toMatchObject({ status: 503, code: 'unavailable' });
    expect(gateway.seen).toHaveLength(1);
  });
});

describe('failures', () => {
  test('say status, code, field, problem and the ID of the request', async () => {
    const client = start();
    const failure = await catchFailure(client.POST('/api/v1/annotations', { body: { ...NOTE, text: '' } }));
    expect(failure).toMatchObject({ status: 400, code: 'bad_request', field: 'text' });
    expect(failure.message).toBe(`text: ${failure.problem}`);
    expect(failure.requestId).toMatch(/^[\w-]{8,}$/);
    const missing = client.GET('/api/v1/boards/{id}', { params: { path: { id: 987_654 } } });
    expect(await catchFailure(missing)).toMatchObject({ status: 404, code: 'not_found', field: undefined });
    const query = { ...target, c: 'nope', tid: newTid('client') };
    const refused = await catchFailure(client.GET('/v1/click', { params: { query } }));
    expect(refused).toMatchObject({ status: 400, code: 'unknown_campaign' });
    gateway.play({ status: 502, body: '<html>' });
    const { status, code, message } = await catchFailure(start({ maxRetries: 0 }).GET('/healthz'));
    expect({ status, code, message }).toEqual({ status: 502, code: 'internal', message: 'Bad Gateway' });
  });

  test('never say a key, however they come about', async () => {
    const secret = 'top-secret-key';
    const keys = { serviceKey: secret, partnerToken: secret, adminToken: secret };
    const failures: unknown[] = [];
    const note = (error: unknown) => void failures.push(error);
    await start(keys).GET('/api/v1/campaigns').catch(note);
    await start({ ...keys, url: 'http://127.0.0.1:1', maxRetries: 0 })
      .GET('/admin/v1/projects')
      .catch(note);
    gateway.play('cut', { status: 302, headers: { Location: `${service.url}/api/v1/campaigns` } });
    await start({ ...keys, maxRetries: 0 })
      .GET('/v1/postbacks/pending')
      .catch(note);
    await start(keys).GET('/api/v1/campaigns').catch(note);
    for (const bad of [`${secret}\n`, `${secret}é`, ''])
      try {
        start({ serviceKey: bad });
      } catch (error) {
        note(error);
      }
    try {
      start({ url: `http://user:${secret}@localhost` });
    } catch (error) {
      note(error);
    }
    expect(failures).toHaveLength(8);
    expect(failures.map((one) => (one as ApiFailure).code)).toEqual(
      expect.arrayContaining(['unauthorized', 'unreachable', 'redirected']),
    );
    for (const failure of failures) expect(inspect(failure, { depth: 10, showHidden: true })).not.toContain(secret);
    expect(inspect(start(keys), { depth: 10, showHidden: true })).not.toContain(secret);
  });

  test('a redirect takes no key elsewhere', async () => {
    const elsewhere = await startGateway(service.url);
    gateway.play({ status: 307, headers: { Location: `${elsewhere.url}/api/v1/campaigns` } });
    expect(await catchFailure(start().GET('/api/v1/campaigns'))).toMatchObject({ code: 'redirected' });
    expect(elsewhere.seen).toEqual([]);
    await elsewhere.stop();
  });

  test('are told to whoever listens, once each', async () => {
    const told: unknown[] = [];
    const client = start({ onFailure: ({ code }, { path, headers }) => told.push([code, path, headers.get('a')]) });
    gateway.play(...ALWAYS_BUSY);
    await catchFailure(client.GET('/api/v1/boards/{id}', { params: { path: { id: 1 } }, headers: { a: 'b' } }));
    expect(told).toEqual([['unavailable', '/api/v1/boards/{id}', 'b']]);
  });
});

describe('repeats', () => {
  const BUSY = { status: 503, headers: { 'Retry-After': '0' } };
  const LIMITED = { status: 429, headers: { 'Retry-After': '1' } };

  test('wait for as long as the service says, as seconds or as a date', async () => {
    const at = () => new Date(Math.ceil(Date.now() / 1000) * 1000 + 1_000).toUTCString();
    gateway.play(LIMITED, { status: 503, headers: { 'Retry-After': at() } }, 'hand-on');
    const retries: unknown[] = [];
    const client = start({ onRetry: ({ failure, attempt }) => retries.push([failure.status, attempt]) });
    expect((await client.GET('/healthz')).data).toEqual({ status: 'ok' });
    const [first, second, third] = gateway.seen.map((one) => one.at);
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(990);
    expect((third ?? 0) - (second ?? 0)).toBeGreaterThan(0);
    expect(retries).toEqual([
      [429, 1],
      [503, 2],
    ]);
  });

  test('end after a few, and at once where the wait would be too long', async () => {
    gateway.play(...ALWAYS_BUSY);
    expect(await catchFailure(start({ maxRetries: 2 }).GET('/healthz'))).toMatchObject({ status: 503 });
    expect(gateway.seen).toHaveLength(3);
    gateway.play({ status: 429, headers: { 'Retry-After': '61' } });
    expect(await catchFailure(start().GET('/healthz'))).toMatchObject({ status: 429, retryAfter: 61 });
    expect(gateway.seen).toHaveLength(1);
  });

  test('are aborted while they wait, and while nothing is answered', async () => {
    for (const act of [{ status: 429, headers: { 'Retry-After': '30' } }, 'hang'] as const) {
      gateway.play(act);
      const aborting = new AbortController();
      const asked = start().GET('/healthz', { signal: aborting.signal });
      await eventually('it is asked', () => (gateway.seen.length > 0 ? true : undefined));
      const reason = new Error('given up');
      aborting.abort(reason);
      await expect(asked).rejects.toBe(reason);
    }
    await expect(start().GET('/healthz', { signal: AbortSignal.abort() })).rejects.toThrow('aborted');
  });

  test('an answer that takes too long is given up', async () => {
    gateway.play('hang', 'hand-on');
    expect((await start({ timeoutMs: 300 }).GET('/healthz')).data).toEqual({ status: 'ok' });
    gateway.play('hang');
    const failure = await catchFailure(start({ timeoutMs: 300, maxRetries: 0 }).GET('/healthz'));
    expect(failure).toMatchObject({ status: 0, code: 'timeout' });
  });

  test('a read is sent again when the connection breaks, before or within the answer', async () => {
    gateway.play('cut', { cutAt: 20 }, 'cut-after-work', 'hand-on');
    const { data } = await start().GET('/api/v1/campaigns');
    expect(data.data.campaigns.length).toBeGreaterThan(3);
    expect(gateway.seen).toHaveLength(4);
    gateway.play({ cutAt: 20 });
    const failure = await catchFailure(start({ maxRetries: 0 }).GET('/api/v1/campaigns'));
    expect(failure).toMatchObject({ status: 0, code: 'broken_off' });
    expect(failure.requestId).toMatch(/^[\w-]{8,}$/);
  });

  test('what the service names repeatable is, though it is a POST', async () => {
    const question = { source: 'app' as const, metrics: ['installs'], from: '2026-01-01', to: '2026-01-02' };
    gateway.play('cut', BUSY, 'hand-on');
    await start().POST('/api/v1/reporting/query', { body: question });
    expect(gateway.seen).toHaveLength(3);
    gateway.play('cut-after-work', 'hand-on');
    const tid = newTid('client');
    const { data } = await start().POST('/v1/batch', { body: [{ kind: 'click', ...target, tid }] });
    expect(data).toMatchObject({ accepted: 1, rejected: 0 });
    const [row] = await service.rows(`SELECT count() AS rows FROM analytics.clicks WHERE tid = '${tid}'`);
    expect(Number(row?.rows)).toBe(1);
  });

  test('what creates something does so once, with a key for the repeats', async () => {
    gateway.play('cut-after-work', 'hand-on');
    const { data, response } = await sendNote();
    expect(response.headers.get('Idempotent-Replayed')).toBe('true');
    const [first, second] = gateway.seen.map(({ headers }) => headers['idempotency-key']);
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(second).toBe(first);
    const range = { params: { query: { from: NOTE.day, to: NOTE.day } } };
    const { annotations } = (await start().GET('/api/v1/annotations', range)).data;
    expect(annotations.filter(({ id }) => id >= data.id)).toHaveLength(1);
    gateway.play('hand-on');
    await start().POST('/api/v1/annotations', { body: NOTE, params: { header: { 'Idempotency-Key': newTid() } } });
    expect(gateway.seen[0]?.headers['idempotency-key']).not.toMatch(/^[0-9a-f]{32}$/);
  });

  test('anything else is sent again after 429 alone, which refuses before the work', async () => {
    const body = { name: 'Second' };
    const edit = () =>
      start().PATCH('/api/v1/campaigns/{display_id}', { params: { path: { display_id: 'second' } }, body });
    gateway.play(LIMITED, 'hand-on');
    await edit();
    expect(gateway.seen).toHaveLength(2);
    for (const act of ['cut', BUSY] as const) {
      gateway.play(act, 'hand-on');
      await catchFailure(edit());
      expect(gateway.seen).toHaveLength(1);
    }
  });
});

describe('pages', () => {
  const makeCampaigns = async (names: readonly string[]) => {
    const client = start({ url: service.url });
    const made: string[] = [];
    for (const name of names) {
      const body = { name, custom_display_id: newTid('p').replaceAll('-', '') };
      const { data } = await client.POST('/api/v1/create-campaign', { body });
      made.push(data.data.display_id);
    }
    return made;
  };

  test('give every row once, and ask for a page when it is needed', async () => {
    const made = await makeCampaigns(Array.from({ length: 7 }, (_, i) => own(`row ${i}`)));
    const found: string[] = [];
    for await (const row of start().pages('/api/v1/campaigns', { params: { query: { limit: 3 } } })) {
      found.push(row.display_id);
      if (found.length === 1) expect(gateway.seen).toHaveLength(1);
    }
    expect(found.slice(0, 7).sort()).toEqual([...made].sort());
    expect(new Set(found).size).toBe(found.length);
    expect(gateway.seen).toHaveLength(Math.ceil(found.length / 3));
    gateway.play();
    for await (const row of start().pages('/api/v1/campaigns', { params: { query: { limit: 3 } } })) {
      expect(row.display_id).toBe(found[0]);
      break;
    }
    expect(gateway.seen).toHaveLength(1);
  });

  test('over a list that grows and shrinks: nothing twice, nothing left out that stayed', async () => {
    const made = await makeCampaigns(Array.from({ length: 12 }, (_, i) => own(`changing ${i}`)));
    const client = start({ url: service.url });
    const gone = made.slice(-4);
    const found: string[] = [];
    for await (const row of client.pages('/api/v1/campaigns', { params: { query: { limit: 3 } } })) {
      found.push(row.display_id);
      // Rows before the place move what follows to the front, others to the back.
      if (found.length === 5 || found.length === 9)
        for (const display_id of gone.splice(0, 2))
          await client.DELETE('/api/v1/campaigns/{display_id}', { params: { path: { display_id } } });
      if (found.length === 7) await makeCampaigns([own('late 1'), own('late 2')]);
    }
    expect(new Set(found).size).toBe(found.length);
    for (const display_id of made.slice(0, 8)) expect(found).toContain(display_id);
  });

  test('by what came last', async () => {
    const client = start();
    const wrong = { params: { query: { c: 'nope', app_id: 'com.acme.shop', gaid: GAID } } };
    for (let i = 0; i < 5; i += 1)
      await catchFailure(
        client.GET('/v1/click', { params: { query: { ...wrong.params.query, tid: newTid('refused') } } }),
      );
    const partner = await idByName(service, 'partners', own('Mobi Ads'));
    const at = { params: { path: { id: partner }, query: { limit: 2 } } };
    const ids = await eventually('the refused requests are listed', async () => {
      const rows: number[] = [];
      for await (const { id } of client.pages('/admin/v1/partners/{id}/refused-requests', at)) rows.push(id);
      return rows.length >= 5 ? rows : undefined;
    });
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => b - a));
  });
});

describe('streams', () => {
  const today = () => new Date().toISOString().slice(0, 10);
  const exported = () => ({ params: { path: { kind: 'clicks' as const }, query: { from: today(), to: today() } } });
  const prefix = newTid('streamed');
  const COUNT = 10_000;
  beforeAll(async () => {
    const client = start({ url: service.url });
    for (let part = 0; part < COUNT; part += 2_000)
      await client.POST('/v1/batch', {
        body: Array.from({ length: 2_000 }, (_, i) => ({
          ...{ kind: 'click' as const, ...target, tid: `${prefix}-${part + i}`, s2: 'x'.repeat(200) },
        })),
      });
    await eventually('they are in ClickHouse', async () => {
      const [row] = await service.rows(`SELECT count() AS n FROM analytics.clicks WHERE startsWith(tid, '${prefix}')`);
      return Number(row?.n) === COUNT ? true : undefined;
    });
  });

  test('give every row, with what the answer says of them', async () => {
    const rows = await start().stream('/api/v1/export/{kind}', exported());
    expect(Date.parse(rows.completeUntil ?? '')).toBeGreaterThan(0);
    expect(rows.requestId).toBeDefined();
    let count = 0;
    for await (const { tid } of rows) if (String(tid).startsWith(prefix)) count += 1;
    expect(count).toBe(COUNT);
    await expect(rows[Symbol.asyncIterator]().next()).rejects.toThrow('once');
    const lines = await start().stream('/api/v1/export/{kind}', { ...exported(), parse: (line) => line.length });
    for await (const length of lines) {
      expect(length).toBeGreaterThan(200);
      break;
    }
  });

  test('of a question have its rows', async () => {
    const body = { source: 'app' as const, metrics: ['clicks'], dimensions: ['campaign'], from: today(), to: today() };
    const rows = await start().stream('/api/v1/reporting/query', { body });
    for await (const row of rows) expect(Object.keys(row)).toContain('clicks');
  });

  test('wait for a slow reader, end with one that leaves, and take little memory', async () => {
    const ROWS = 300_000;
    gateway.play({ rows: ROWS }, { rows: ROWS });
    const slow = await start().stream('/api/v1/export/{kind}', exported());
    for await (const row of slow) {
      expect(row.text).toBeDefined();
      await new Promise((resolve) => setTimeout(resolve, 500));
      break;
    }
    // What the sockets of this machine hold.
    expect(gateway.written()).toBeLessThan(30_000_000);
    const before = measureMemory();
    let most = 0;
    let count = 0;
    for await (const row of await start().stream('/api/v1/export/{kind}', exported())) {
      count += row.text === undefined ? 0 : 1;
      if (count % 50_000 === 0) most = Math.max(most, measureMemory() - before);
    }
    expect(count).toBe(ROWS);
    expect(most).toBeLessThan((ROWS * ROW_BYTES) / 5);
  });

  test('that break off are errors, wherever they do', async () => {
    for (const act of [{ cutAt: 20_000 }, { endAt: 20_000 }]) {
      gateway.play(act);
      const rows = await start().stream('/api/v1/export/{kind}', exported());
      let count = 0;
      const read = async () => {
        for await (const row of rows) count += row.tid === undefined ? 0 : 1;
      };
      const failure = await catchFailure(read());
      expect(failure).toMatchObject({ status: 0, code: 'broken_off', requestId: rows.requestId });
      expect(failure.message).toContain(`after ${count} rows`);
      expect(count).toBeGreaterThan(0);
    }
  });

  test('are aborted by their signal', async () => {
    const aborting = new AbortController();
    const rows = await start().stream('/api/v1/export/{kind}', { ...exported(), signal: aborting.signal });
    const read = async () => {
      for await (const row of rows) aborting.abort(new Error(row.tid === undefined ? 'no row' : 'enough'));
    };
    await expect(read()).rejects.toThrow('enough');
  });

  test('that never begin are failures like others', async () => {
    const wrong = { params: { path: { kind: 'clicks' as const }, query: { from: 'x', to: 'y' } } };
    expect(await catchFailure(start().stream('/api/v1/export/{kind}', wrong))).toMatchObject({ status: 400 });
    gateway.play({ status: 503, headers: { 'Retry-After': '0' } });
    const rows = await start().stream('/api/v1/export/{kind}', exported());
    await rows.cancel();
    expect(gateway.seen).toHaveLength(2);
  });
});
