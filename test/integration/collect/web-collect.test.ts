/**
 * POST /collect/v1/web and /adtrail.js on real engines: what is stored, once, and what reports see of it. What is taken
 * and refused is in test/unit/collect/web-collect.test.ts.
 */
import { request as httpRequest } from 'node:http';
import { ownNames } from '../../support/workspace/own-names';
import { eventually } from '../../support/service';
import { sharedService } from '../../support/shared-service';
import { BOT, BROWSER, collect, reportData, webWorkspace, type Json } from '../../support/collect/web';

const own = ownNames('web-collect');
const SERVER = { 'service-key': own('server-key-of-collect') };
const WEB = { 'web-key': own('web-key-of-collect') };

const service = sharedService();
beforeAll(async () => {
  await service.apply(own.document(webWorkspace('collect', { domains: [{ name: 'go.acme.example' }] })));
  await service.apply(own.document(webWorkspace('other')));
});

/** The status of a request with just these headers: fetch would add its own, and refuses to set Host. */
const readStatus = (method: string, path: string, headers: Record<string, string>) =>
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
  event_id: own(`event-${count++}`),
  type: 'page_view',
  time: new Date().toISOString(),
  visitor_id: 'visitor',
  session_id: 'session',
  url: 'https://acme.example/',
  ...more,
});
const readRows = (eventId: unknown, columns = '*') =>
  service.rows(`SELECT ${columns} FROM analytics.web_events WHERE event_id = '${String(eventId)}'`);

test('a key of another kind is 401, readable from any origin', async () => {
  const response = await service.request('/collect/v1/web', {
    method: 'POST',
    headers: { 'web-key': own('server-key-of-collect') },
    body: '{"events":[]}',
  });
  expect([response.status, await response.json(), response.headers.get('access-control-allow-origin')]).toEqual([
    401,
    { msg: 'Unauthorized access.', status: 401 },
    '*',
  ]);
  const wrong = await service.request('/collect/v1/web');
  expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, expect.stringContaining('POST')]);
});

test('a wrong event is refused by itself', async () => {
  const good = [event(), event()];
  expect(await collect(service, WEB, [good[0], event({ time: 0 }), good[1]])).toEqual({
    status: 202,
    body: { accepted: 2, rejected: [{ index: 1, reason: 'invalid_field', field: 'time' }] },
  });
  for (const one of good) expect(await readRows(one.event_id)).toHaveLength(1);
});

describe('an event', () => {
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
    expect(await readRows(one.event_id)).toMatchObject([
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
    ['-5', -5],
  ])('revenue %s is stored as the decimal %d', async (revenue, stored) => {
    const one = event({ type: 'event', name: 'purchase', revenue });
    await collect(service, WEB, [one]);
    expect(await readRows(one.event_id, 'revenue')).toEqual([{ revenue: stored }]);
  });

  test('with half a character or NUL in what is no ID is mended', async () => {
    const one = event({
      type: 'event',
      name: 'half \ud83d',
      properties: { deep: [{ 'a\0': 'x\0y', b: '\ude00' }] },
      referrer: 'https://blog.example/\ud83d',
      url: 'https://acme.example/?utm_source=a%00b&q=\ud83d',
    });
    expect((await collect(service, WEB, [one])).body).toEqual({ accepted: 1, rejected: [] });
    expect(await readRows(one.event_id, 'name, properties, referrer, url, utm_source, source')).toEqual([
      {
        name: 'half \ufffd',
        properties: '{"deep":[{"a\ufffd":"x\ufffdy","b":"\ufffd"}]}',
        referrer: 'https://blog.example/\ufffd',
        url: 'https://acme.example/?utm_source=a%00b&q=\ufffd',
        utm_source: 'a\ufffdb',
        source: 'a\ufffdb',
      },
    ]);
  });

  test('whose names look the same is one row of the report, and one event', async () => {
    const key = own('server-key-of-spellings');
    await service.apply(own.document(webWorkspace('spellings')));
    const spellings = [
      'caf%C3%A9',
      'cafe%CC%81',
      'caf%C3%A9%20',
      '%20caf%C3%A9',
      'caf%C3%A9%E2%80%8B',
      '%EF%BB%BFcaf%C3%A9',
    ];
    const names = ['caf\u00e9', 'cafe\u0301', ' caf\u00e9', 'caf\u00e9\u200b', 'ca\u00adf\u00e9', 'caf\u00e9\u00a0'];
    const events = spellings.map((text, i) =>
      event({
        visitor_id: `visitor-${i}`,
        type: 'event',
        name: names[i],
        ua: BROWSER,
        url: `https://acme.example/?utm_source=${text}&utm_medium=${text}&utm_campaign=${text}&utm_content=${text}`,
      }),
    );
    expect((await collect(service, { 'service-key': key }, events)).body).toMatchObject({ accepted: 6 });
    for (const group_by of ['campaign', 'source']) {
      const { campaigns } = await reportData(service, key, { group_by });
      expect(campaigns).toMatchObject([{ id: 'caf\u00e9', visitors: 6 }]);
    }
    expect(
      await service.rows(
        `SELECT DISTINCT name, utm_source, utm_medium, utm_campaign, utm_content
         FROM analytics.web_events WHERE event_id IN (${events.map((one) => `'${String(one.event_id)}'`).join()})`,
      ),
    ).toEqual([
      {
        name: 'caf\u00e9',
        utm_source: 'caf\u00e9',
        utm_medium: 'caf\u00e9',
        utm_campaign: 'caf\u00e9',
        utm_content: 'caf\u00e9',
      },
    ]);
  });

  test('of any age is taken from a server, with the address and user agent of the visitor', async () => {
    const one = event({ time: '2001-02-03T04:05:06+05:30', ip: '203.0.113.7', ua: BOT });
    const bare = event({ ip: '10.0.0.1' });
    expect((await collect(service, SERVER, [one, bare])).body).toEqual({ accepted: 2, rejected: [] });
    expect(await readRows(one.event_id, 'toString(time) AS time, ip, is_bot')).toEqual([
      { time: '2001-02-02 22:35:06.000', ip: '203.0.113.7', is_bot: 1 },
    ]);
    // A server's own address and user agent say nothing of its visitors.
    expect(await readRows(bare.event_id, 'ip, ua, is_bot')).toEqual([{ ip: '', ua: '', is_bot: 0 }]);
  });

  test("of a browser has the browser's own address and user agent, whatever it claims", async () => {
    const one = event({ ip: '203.0.113.9', ua: 'claimed' });
    await collect(service, { ...WEB, 'x-forwarded-for': '198.51.100.4' }, [one]);
    expect(await readRows(one.event_id, 'ip, ua')).toEqual([{ ip: '198.51.100.4', ua: BROWSER }]);
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
    expect(await readRows(first.event_id, 'visitor_id, user_id')).toEqual([{ visitor_id: 'first', user_id: 'kept' }]);
  });

  test('counts once within one batch and in many at once', async () => {
    const one = event({ visitor_id: 'parallel' });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => collect(service, WEB, [one, { ...one, visitor_id: `parallel-${i}` }])),
    );
    expect(answers.every(({ status, body }) => status === 202 && body.accepted === 2)).toBe(true);
    expect(await readRows(one.event_id)).toHaveLength(1);
  });

  test('by a page never takes the place of what the server sends', async () => {
    const one = event({ visitor_id: 'page' });
    expect((await collect(service, WEB, [one])).body).toMatchObject({ accepted: 1 });
    expect((await collect(service, SERVER, [{ ...one, visitor_id: 'of-server' }])).body).toMatchObject({ accepted: 1 });
    expect((await collect(service, WEB, [{ ...one, visitor_id: 'again' }])).body).toMatchObject({ accepted: 1 });
    const rows = await readRows(one.event_id, 'visitor_id, trusted');
    expect(rows.map(({ visitor_id, trusted }) => `${String(visitor_id)} ${String(trusted)}`).sort()).toEqual([
      'of-server 1',
      'page 0',
    ]);
  });

  test('is an event of its own in another project', async () => {
    const one = event();
    await collect(service, WEB, [one]);
    await collect(service, { 'web-key': own('web-key-of-other') }, [one]);
    expect(await readRows(one.event_id)).toHaveLength(2);
  });

  test('that two processes stored on two visitors at once is hidden within seconds', async () => {
    const one = event({ visitor_id: own('stays') });
    await collect(service, WEB, [one]);
    // As another process would store it that does not know of the first.
    await service.clickhouse.command({
      query: `INSERT INTO adtrail.web_events
        SELECT * REPLACE ('${own('goes')}' AS visitor_id, version - 1 AS version, now64(3) AS stored_at)
        FROM adtrail.web_events
        WHERE event_id = '${String(one.event_id)}'`,
    });
    await eventually('the repeat is hidden', async () =>
      (await readRows(one.event_id)).length === 1 ? true : undefined,
    );
    expect(await readRows(one.event_id, 'visitor_id')).toEqual([{ visitor_id: own('stays') }]);
    expect(
      await service.rows(
        `SELECT count() AS elements FROM adtrail.web_visitors FINAL ARRAY JOIN element.day
         WHERE visitor_id = '${own('goes')}'`,
      ),
    ).toEqual([{ elements: 0 }]);
  });
});

test('bots are stored and counted by no report', async () => {
  const key = own('server-key-of-bots');
  await service.apply(own.document(webWorkspace('bots')));
  const events = [event({ ua: BOT, visitor_id: own('bot') }), event({ ua: BROWSER, visitor_id: own('person') })];
  await collect(service, { 'service-key': key }, events);
  expect((await reportData(service, key)).totals).toMatchObject({ visitors: 1, page_views: 1 });
  expect(
    await service.rows(
      `SELECT is_bot, count() AS events
       FROM analytics.web_events
       WHERE visitor_id IN ('${own('bot')}', '${own('person')}')
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
    expect(await readStatus(method, '/adtrail.js', { 'if-none-match': response.headers.get('etag') as string })).toBe(
      304,
    );
  });
});

test('a registered domain reaches the script and the collector, and not the report', async () => {
  const at = (method: string, path: string, headers: Record<string, string> = {}) =>
    readStatus(method, path, { host: own('go.acme.example'), ...headers });
  expect(await at('GET', '/adtrail.js')).toBe(200);
  expect(await at('POST', '/collect/v1/web', WEB)).toBe(202);
  expect(await at('GET', '/api/v1/reporting/web-campaigns', SERVER)).toBe(404);
});
