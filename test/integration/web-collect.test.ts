/**
 * POST /collect/v1/web and /adtrail.js over HTTP (docs/contract.md, Collectors): what is taken, what is refused, and
 * what is stored.
 */
import { request as httpRequest } from 'node:http';
import { gzipSync } from 'node:zlib';
import { eventually, startService, type RunningService } from '../support/service';
import { BOT, BROWSER, collect, reportData, webWorkspace, type Json } from '../support/web';

const SERVER = { 'service-key': 'server-key-of-collect' };
const WEB = { 'web-key': 'web-key-of-collect' };
const DAY_MS = 86_400_000;

let service: RunningService;
beforeAll(async () => {
  service = await startService({ LIMIT_IP: 'off', LIMIT_REPORTING: 'off', TRUST_PROXY: '1' });
  await service.apply(webWorkspace('collect', { domains: [{ name: 'go.acme.example' }] }));
  await service.apply(webWorkspace('other'));
});
afterAll(() => service?.dispose());

/** The status of a request with just these headers: fetch would add its own, and refuses to set Host. */
const statusOf = (method: string, path: string, headers: Record<string, string>) =>
  new Promise<number>((resolve, reject) => {
    const sent = httpRequest(`${service.url}${path}`, { method, headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on('error', reject);
    sent.end(method === 'POST' ? '{"events":[]}' : undefined);
  });

let count = 0;
const event = (more: Json = {}): Json => ({
  event_id: `event-${count++}`,
  type: 'page_view',
  time: new Date().toISOString(),
  visitor_id: 'visitor',
  session_id: 'session',
  url: 'https://acme.example/',
  ...more,
});
const rowsOf = (eventId: unknown, columns = '*') =>
  service.rows(`SELECT ${columns} FROM analytics.web_events WHERE event_id = '${String(eventId)}'`);
const ago = (ms: number) => new Date(Date.now() - ms).toISOString();

describe('the key', () => {
  test.each([
    ['none', {}],
    ['an unknown one', { 'web-key': 'nobody' }],
    ['a server key as a web key', { 'web-key': 'server-key-of-collect' }],
    ['an app key', { 'app-key': 'app-key-of-collect' }],
    ['an unknown server key', { 'service-key': 'nobody', 'web-key': 'web-key-of-collect' }],
  ])('%s is 401, readable from any origin', async (_, headers) => {
    const response = await service.request('/collect/v1/web', {
      method: 'POST',
      headers: headers as Record<string, string>,
      body: '{"events":[]}',
    });
    expect([response.status, await response.json(), response.headers.get('access-control-allow-origin')]).toEqual([
      401,
      { msg: 'Unauthorized access.', status: 401 },
      '*',
    ]);
  });

  test('counts in the query too, as beacons send it', async () => {
    const one = event();
    const response = await service.request('/collect/v1/web?web-key=web-key-of-collect', {
      method: 'POST',
      headers: { 'content-type': 'text/plain;charset=UTF-8', 'user-agent': BROWSER },
      body: JSON.stringify({ events: [one] }),
    });
    expect([response.status, await response.json()]).toEqual([202, { accepted: 1, rejected: [] }]);
    expect(await rowsOf(one.event_id)).toHaveLength(1);
  });
});

describe('CORS', () => {
  test('a preflight is answered without a key', async () => {
    const response = await service.request('/collect/v1/web', {
      method: 'OPTIONS',
      headers: {
        origin: 'https://acme.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'web-key,content-type',
      },
    });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-allow-methods')).toContain('POST');
    for (const name of ['web-key', 'content-type', 'content-encoding'])
      expect(response.headers.get('access-control-allow-headers')).toContain(name);
  });

  test('other methods are 405 with Allow', async () => {
    const response = await service.request('/collect/v1/web');
    expect([response.status, response.headers.get('allow')]).toEqual([405, expect.stringContaining('POST')]);
  });
});

describe('the body', () => {
  const post = async (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) => {
    const response = await service.request('/collect/v1/web', {
      method: 'POST',
      headers: { ...WEB, ...headers },
      body,
    });
    return { status: response.status, body: (await response.json()) as Json };
  };
  test.each(['', 'nonsense', '[]', '"text"', '{}', '{"events":{}}', '{"events":null}'])('%j is 400', async (body) => {
    expect(await post(body)).toMatchObject({
      status: 400,
      body: { status: 400, msg: expect.stringMatching(/\S/) as string },
    });
  });
  test('an empty batch is accepted', async () => {
    expect(await post('{"events":[]}')).toEqual({ status: 202, body: { accepted: 0, rejected: [] } });
  });
  test('1,000 events are taken, 1,001 are 413', async () => {
    const events = Array.from({ length: 1_000 }, () => event());
    expect(await post(JSON.stringify({ events }))).toEqual({ status: 202, body: { accepted: 1_000, rejected: [] } });
    expect((await post(JSON.stringify({ events: [...events, event()] }))).status).toBe(413);
  });
  test('over 5 MB is 413, gzip or not', async () => {
    const body = JSON.stringify({ events: [], padding: 'x'.repeat(5 * 1024 * 1024) });
    expect((await post(body)).status).toBe(413);
    expect((await post(new Uint8Array(gzipSync(body)), { 'content-encoding': 'gzip' })).status).toBe(413);
  });
  test('gzip is taken', async () => {
    const one = event();
    expect(
      await post(new Uint8Array(gzipSync(JSON.stringify({ events: [one] }))), { 'content-encoding': 'gzip' }),
    ).toEqual({ status: 202, body: { accepted: 1, rejected: [] } });
  });
});

describe('an event', () => {
  const invalid: readonly (readonly [string, Json, string, string])[] = [
    ...['event_id', 'type', 'time', 'visitor_id', 'session_id', 'url'].flatMap((field) => [
      [`without ${field}`, { [field]: undefined }, 'missing_field', field] as const,
      [`with empty ${field}`, { [field]: '' }, 'missing_field', field] as const,
    ]),
    ['of no known type', { type: 'click' }, 'unknown_type', 'type'],
    ['of type event without name', { type: 'event' }, 'missing_field', 'name'],
    ['with a number as ID', { event_id: 5 }, 'invalid_field', 'event_id'],
    ['with an endless ID', { visitor_id: 'x'.repeat(256) }, 'invalid_field', 'visitor_id'],
    ['at a time without zone', { time: '2026-01-01T00:00:00' }, 'invalid_field', 'time'],
    ['at a time that never was', { time: '2026-02-30T00:00:00Z' }, 'invalid_field', 'time'],
    ['at a number', { time: 1767225600000 }, 'invalid_field', 'time'],
    ['before 1970', { time: '1969-12-31T23:59:59Z' }, 'invalid_field', 'time'],
    ['on no web page', { url: 'javascript:alert(1)' }, 'invalid_field', 'url'],
    ['on a relative page', { url: '/path' }, 'invalid_field', 'url'],
    ['on a broken page', { url: 'https://' }, 'invalid_field', 'url'],
    ['with revenue in words', { revenue: '10' }, 'invalid_field', 'revenue'],
    ['with too much revenue', { revenue: 1e16 }, 'invalid_field', 'revenue'],
    ['with a list of properties', { properties: [1] }, 'invalid_field', 'properties'],
    ['with properties in words', { properties: 'x' }, 'invalid_field', 'properties'],
    ['with NUL in its properties', { properties: { deep: { a: 'x\0' } } }, 'invalid_field', 'properties.deep.a'],
    ['with half a character', { properties: { a: '\ud800' } }, 'invalid_field', 'properties.a'],
    ['over 64 kB', { properties: { a: 'x'.repeat(65_536) } }, 'too_large', ''],
    ['31 days old', { time: ago(31 * DAY_MS) }, 'too_old', 'time'],
  ];
  test.each(invalid)('%s is refused by itself', async (_, more, reason, field) => {
    const good = [event(), event()];
    expect(await collect(service, WEB, [good[0], event(more), good[1]])).toEqual({
      status: 202,
      body: { accepted: 2, rejected: [{ index: 1, reason, field }] },
    });
    for (const one of good) expect(await rowsOf(one.event_id)).toHaveLength(1);
  });

  test.each([[null], ['text'], [5], [[]]])('%j is no event', async (value) => {
    expect(await collect(service, WEB, [value])).toMatchObject({
      status: 202,
      body: { accepted: 0, rejected: [{ index: 0, reason: 'invalid_field' }] },
    });
  });

  test('is stored with all it says, classified', async () => {
    const one = event({
      type: 'event',
      name: 'Order_Completed',
      revenue: 19.99,
      user_id: 'u-1',
      referrer: 'https://www.google.com/',
      properties: { plan: 'pro', nested: { __proto__x: [1, null] } },
      url:
        'https://acme.example/buy?utm_source=Google&utm_medium=cpc&utm_campaign=Brand&utm_id=900&utm_content=123' +
        '&utm_term=456&gclid=abc',
    });
    await collect(service, WEB, [one]);
    expect(await rowsOf(one.event_id)).toMatchObject([
      {
        visitor_id: 'visitor',
        session_id: 'session',
        type: 'event',
        name: 'Order_Completed',
        revenue: 19.99,
        user_id: 'u-1',
        referrer: 'https://www.google.com/',
        properties: JSON.stringify(one.properties),
        channel: 'google',
        source: 'google',
        utm_source: 'Google',
        utm_medium: 'cpc',
        utm_campaign: 'Brand',
        utm_id: '900',
        utm_content: '123',
        utm_term: '456',
        click_id_type: 'gclid',
        click_id: 'abc',
        network_campaign_id: '900',
        ad_set_id: '456',
        ad_id: '123',
        is_signup: 0,
        is_purchase: 1,
        is_bot: 0,
        ua: BROWSER,
      },
    ]);
  });

  test.each([
    [0.1 + 0.2, 0.3],
    [1e-7, 0.0000001],
    [123456789.01, 123456789.01],
    [-5, -5],
    [0, 0],
  ])('revenue %d is stored as the decimal %d', async (revenue, stored) => {
    const one = event({ type: 'event', name: 'purchase', revenue });
    await collect(service, WEB, [one]);
    expect(await rowsOf(one.event_id, 'revenue')).toEqual([{ revenue: stored }]);
  });

  test('in the future is now, whichever key sends it', async () => {
    for (const headers of [WEB, SERVER]) {
      const one = event({ time: '2099-01-01T00:00:00Z' });
      await collect(service, headers, [one]);
      const [row] = await rowsOf(one.event_id, 'time = received_at AS now');
      expect(row).toEqual({ now: 1 });
    }
  });

  test('of any age is taken from a server, with the address and user agent of the visitor', async () => {
    const one = event({ time: '2001-02-03T04:05:06+05:30', ip: '203.0.113.7', ua: BOT });
    const bare = event({ ip: '10.0.0.1' });
    expect((await collect(service, SERVER, [one, bare])).body).toEqual({ accepted: 2, rejected: [] });
    expect(await rowsOf(one.event_id, 'toString(time) AS time, ip, is_bot')).toEqual([
      { time: '2001-02-02 22:35:06.000', ip: '203.0.113.7', is_bot: 1 },
    ]);
    // A server's own address and user agent say nothing of its visitors.
    expect(await rowsOf(bare.event_id, 'ip, ua, is_bot')).toEqual([{ ip: '', ua: '', is_bot: 0 }]);
  });

  test("of a browser has the browser's own address and user agent, whatever it claims", async () => {
    const one = event({ ip: '203.0.113.9', ua: 'claimed' });
    await collect(service, { ...WEB, 'x-forwarded-for': '198.51.100.4' }, [one]);
    expect(await rowsOf(one.event_id, 'ip, ua')).toEqual([{ ip: '198.51.100.4', ua: BROWSER }]);
  });

  test('with a 10 kB address, invalid UTF-8 in it and a hostile query is stored', async () => {
    const long = event({
      url:
        `https://acme.example/?utm_source=${'x'.repeat(10_000)}` +
        '&a=%FF%FE%00&utm_id=%E0%A4%A&__proto__=1&constructor=2',
    });
    const script = event({
      url: "https://acme.example/?utm_campaign='; DROP TABLE adtrail.web_events; --&utm_source=<script>",
      referrer: '\\x00 not a url \'"',
    });
    expect((await collect(service, WEB, [long, script])).body).toEqual({ accepted: 2, rejected: [] });
    expect(await rowsOf(long.event_id, 'length(utm_source) AS length')).toEqual([{ length: 10_000 }]);
    expect(await rowsOf(script.event_id, 'utm_campaign')).toEqual([
      { utm_campaign: "'; DROP TABLE adtrail.web_events; --" },
    ]);
  });

  test('in a body of invalid UTF-8 is stored with replacement characters', async () => {
    const one = event({ visitor_id: 'v-?' });
    const body = Buffer.from(JSON.stringify({ events: [one] }));
    body[body.indexOf('?')] = 0xff;
    const response = await service.request('/collect/v1/web', { method: 'POST', headers: WEB, body });
    expect(response.status).toBe(202);
    expect(await rowsOf(one.event_id, 'visitor_id')).toEqual([{ visitor_id: 'v-\ufffd' }]);
  });
});

describe('an event ID sent again', () => {
  test('is accepted and stored once, first write first, whatever visitor it names', async () => {
    const first = event({ visitor_id: 'first', user_id: 'kept' });
    expect((await collect(service, WEB, [first])).body).toEqual({ accepted: 1, rejected: [] });
    expect(
      (
        await collect(service, WEB, [
          { ...first, user_id: 'changed' },
          { ...first, visitor_id: 'second' },
        ])
      ).body,
    ).toEqual({ accepted: 2, rejected: [] });
    expect(await rowsOf(first.event_id, 'visitor_id, user_id')).toEqual([{ visitor_id: 'first', user_id: 'kept' }]);
  });

  test('counts once within one batch and in many at once', async () => {
    const one = event({ visitor_id: 'parallel' });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => collect(service, WEB, [one, { ...one, visitor_id: `parallel-${i}` }])),
    );
    expect(answers.every(({ status, body }) => status === 202 && body.accepted === 2)).toBe(true);
    expect(await rowsOf(one.event_id)).toHaveLength(1);
  });

  test('by a page never takes the place of what the server sends', async () => {
    const one = event({ visitor_id: 'page' });
    expect((await collect(service, WEB, [one])).body).toMatchObject({ accepted: 1 });
    expect((await collect(service, SERVER, [{ ...one, visitor_id: 'of-server' }])).body).toMatchObject({ accepted: 1 });
    expect((await collect(service, WEB, [{ ...one, visitor_id: 'again' }])).body).toMatchObject({ accepted: 1 });
    const rows = await rowsOf(one.event_id, 'visitor_id, trusted');
    expect(rows.map(({ visitor_id, trusted }) => `${String(visitor_id)} ${String(trusted)}`).sort()).toEqual([
      'of-server 1',
      'page 0',
    ]);
  });

  test('is an event of its own in another project', async () => {
    const one = event();
    await collect(service, WEB, [one]);
    await collect(service, { 'web-key': 'web-key-of-other' }, [one]);
    expect(await rowsOf(one.event_id)).toHaveLength(2);
  });

  test('is recognised after a restart', async () => {
    const one = event({ visitor_id: 'before' });
    await collect(service, WEB, [one]);
    await service.stop();
    await service.restart();
    await collect(service, WEB, [{ ...one, visitor_id: 'after' }]);
    expect(await rowsOf(one.event_id, 'visitor_id')).toEqual([{ visitor_id: 'before' }]);
  });

  test('that two processes stored on two visitors at once is hidden within seconds', async () => {
    const one = event({ visitor_id: 'stays' });
    await collect(service, WEB, [one]);
    // As another process would store it that does not know of the first.
    await service.clickhouse.command({
      query: `INSERT INTO adtrail.web_events
        SELECT * REPLACE ('goes' AS visitor_id, version - 1 AS version, now64(3) AS stored_at)
        FROM adtrail.web_events
        WHERE event_id = '${String(one.event_id)}'`,
    });
    await eventually('the repeat is hidden', async () =>
      (await rowsOf(one.event_id)).length === 1 ? true : undefined,
    );
    expect(await rowsOf(one.event_id, 'visitor_id')).toEqual([{ visitor_id: 'stays' }]);
    expect(
      await service.rows(
        "SELECT count() AS elements FROM adtrail.web_visitors FINAL ARRAY JOIN element.day WHERE visitor_id = 'goes'",
      ),
    ).toEqual([{ elements: 0 }]);
  });
});

test('bots are stored and counted by no report', async () => {
  const key = 'server-key-of-bots';
  await service.apply(webWorkspace('bots'));
  const events = [event({ ua: BOT, visitor_id: 'bot' }), event({ ua: BROWSER, visitor_id: 'person' })];
  await collect(service, { 'service-key': key }, events);
  expect((await reportData(service, key)).totals).toMatchObject({ visitors: 1, page_views: 1 });
  expect(
    await service.rows(
      `SELECT is_bot, count() AS events
       FROM analytics.web_events
       WHERE visitor_id IN ('bot', 'person')
       GROUP BY is_bot
       ORDER BY is_bot`,
    ),
  ).toEqual([
    { is_bot: 0, events: 1 },
    { is_bot: 1, events: 1 },
  ]);
});

describe('/adtrail.js', () => {
  test.each(['GET', 'HEAD'])('%s is cacheable, open to every origin, and revalidated', async (method) => {
    const response = await service.request('/adtrail.js', { method });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/javascript/);
    expect(response.headers.get('cache-control')).toMatch(/max-age=\d{4,}/);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(await statusOf(method, '/adtrail.js', { 'if-none-match': response.headers.get('etag') as string })).toBe(
      304,
    );
  });
});

test('a registered domain reaches the script and the collector, and not the report', async () => {
  const at = (method: string, path: string, headers: Record<string, string> = {}) =>
    statusOf(method, path, { host: 'go.acme.example', ...headers });
  expect(await at('GET', '/adtrail.js')).toBe(200);
  expect(await at('POST', '/collect/v1/web', WEB)).toBe(202);
  expect(await at('GET', '/api/v1/reporting/web-campaigns', SERVER)).toBe(404);
});
