/**
 * POST /collect/v1/web on a store in memory: what is taken and refused, and how it is classified
 * (docs/contract/collectors.md).
 */
import { gzipSync } from 'node:zlib';
import { startInMemory, type InMemory } from '../../support/links/in-memory';
import { BROWSER, collect, webWorkspace, type Json } from '../../support/collect/web';

const SERVER = { 'service-key': 'server-key-of-collect' };
const WEB = { 'web-key': 'web-key-of-collect' };
const DAY_MS = 86_400_000;

let service: InMemory;
beforeAll(async () => {
  service = await startInMemory(webWorkspace('collect', { domains: [{ name: 'go.acme.example' }] }));
});
afterAll(() => service?.close());

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
const readRows = (eventId: unknown) => service.webEvents.filter((row) => row.event_id === eventId);
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
    expect(readRows(one.event_id)).toHaveLength(1);
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

  test.each<[string, string[]]>([
    ['traceparent,baggage,sentry-trace', ['traceparent', 'baggage', 'sentry-trace']],
    ['X-Datadog-Trace-Id, authorization , x-b3-traceid', ['x-datadog-trace-id', 'authorization', 'x-b3-traceid']],
    ['b3,<script>,two words,"quoted",a:b,', ['b3']],
    ['x'.repeat(129), []],
    [Array.from({ length: 500 }, (_, i) => `x-${i}`).join(), Array.from({ length: 64 }, (_, i) => `x-${i}`)],
    [' , ,', []],
  ])('a page may send the headers %s', async (asked, allowed) => {
    const response = await service.request('/collect/v1/web', {
      method: 'OPTIONS',
      headers: { origin: 'https://acme.example', 'access-control-request-headers': asked },
    });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-headers')?.split(', ')).toEqual([
      ...['content-type', 'content-encoding', 'web-key', 'service-key'],
      ...allowed,
    ]);
    expect(response.headers.get('vary')).toContain('Access-Control-Request-Headers');
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
  // More of bodies is in collect-app.test.ts: both collectors read them the same way.
  test('1,001 events are 413', async () => {
    expect((await post(JSON.stringify({ events: Array.from({ length: 1_001 }, () => event()) }))).status).toBe(413);
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
    ['with revenue in words', { revenue: 'ten' }, 'invalid_field', 'revenue'],
    ['with revenue in two numbers', { revenue: '49,90' }, 'invalid_field', 'revenue'],
    ['with revenue and a currency', { revenue: '49.90 EUR' }, 'invalid_field', 'revenue'],
    ['with hexadecimal revenue', { revenue: '0x10' }, 'invalid_field', 'revenue'],
    ['with too much revenue in a text', { revenue: '1e16' }, 'invalid_field', 'revenue'],
    ['with endless revenue', { revenue: '1e999' }, 'invalid_field', 'revenue'],
    ['with too much revenue', { revenue: 1e16 }, 'invalid_field', 'revenue'],
    ['with a list of properties', { properties: [1] }, 'invalid_field', 'properties'],
    ['with properties in words', { properties: 'x' }, 'invalid_field', 'properties'],
    ['with NUL in its ID', { event_id: 'a\0b' }, 'invalid_field', 'event_id'],
    ['with half a character in its visitor', { visitor_id: '\ud800' }, 'invalid_field', 'visitor_id'],
    ['with half a character in its session', { session_id: '\udc00' }, 'invalid_field', 'session_id'],
    ['with NUL in its user', { user_id: 'a\0' }, 'invalid_field', 'user_id'],
    ['with a name that nobody sees', { type: 'event', name: '\u200b ' }, 'missing_field', 'name'],
    ['with a name of 256 characters', { type: 'event', name: 'x'.repeat(256) }, 'invalid_field', 'name'],
    ['of nobody', { visitor_id: 'undefined' }, 'missing_field', 'visitor_id'],
    ['of the epoch', { time: '1970-01-01T00:00:00Z' }, 'invalid_field', 'time'],
    ['over 64 kB', { properties: { a: 'x'.repeat(65_536) } }, 'too_large', ''],
    ['31 days old', { time: ago(31 * DAY_MS) }, 'too_old', 'time'],
  ];
  test.each(invalid)('%s is refused by itself', async (_, more, reason, field) => {
    const good = [event(), event()];
    expect(await collect(service, WEB, [good[0], event(more), good[1]])).toEqual({
      status: 202,
      body: { accepted: 2, rejected: [{ index: 1, reason, field }] },
    });
    for (const one of good) expect(readRows(one.event_id)).toHaveLength(1);
  });

  test.each([[null], ['text'], [5], [[]]])('%j is no event', async (value) => {
    expect(await collect(service, WEB, [value])).toMatchObject({
      status: 202,
      body: { accepted: 0, rejected: [{ index: 0, reason: 'invalid_field' }] },
    });
  });

  test.each<[string | number, string]>([
    [0.1 + 0.2, '0.300000000'],
    [1e-7, '0.000000100'],
    [123456789.01, '123456789.010000000'],
    [-5, '-5.000000000'],
    [0, '0.000000000'],
    [' 49.90 ', '49.900000000'],
    ['-5', '-5.000000000'],
    ['+.5', '0.500000000'],
    ['1e2', '100.000000000'],
  ])('revenue %j is stored as the decimal %s', async (revenue, stored) => {
    const one = event({ type: 'event', name: 'purchase', revenue });
    await collect(service, WEB, [one]);
    expect(readRows(one.event_id)).toMatchObject([{ revenue: stored }]);
  });

  test.each([
    'https://www.paypal.com/checkoutnow',
    'https://accounts.google.com/',
    'android-app://com.google.android.gms/',
  ])('from %s comes from nowhere', async (referrer) => {
    const one = event({ referrer });
    await collect(service, WEB, [one]);
    expect(readRows(one.event_id)).toMatchObject([{ channel: 'direct', source: '', referrer: '' }]);
  });

  test('has its name and its UTM parameters in one form', async () => {
    for (const text of ['cafe%CC%81', 'caf%C3%A9%20', '%20caf%C3%A9', 'caf%C3%A9%E2%80%8B', '%EF%BB%BFcaf%C3%A9']) {
      const utm = ['source', 'medium', 'campaign', 'content'].map((part) => `utm_${part}=${text}`).join('&');
      const url = `https://acme.example/?${utm}`;
      const one = event({ type: 'event', name: decodeURIComponent(text), url });
      await collect(service, WEB, [one]);
      const [utm_source, utm_medium, utm_campaign, utm_content, name] = Array<string>(5).fill('caf\u00e9');
      expect(readRows(one.event_id)).toMatchObject([{ name, utm_source, utm_medium, utm_campaign, utm_content }]);
    }
  });

  test.each([
    ['#utm_source=news&utm_medium=email&utm_id=f1', 'email', 'news', 'f1', ''],
    ['#/x?utm_source=news&utm_medium=email&utm_id=f2', 'email', 'news', 'f2', ''],
    ['?utm_source=news&amp;utm_medium=email&amp;utm_id=f3', 'email', 'news', 'f3', ''],
    ['?UTM_SOURCE=news&Utm_Medium=email#utm_id=f4', 'email', 'news', 'f4', ''],
    ['?gad_source=1&gad_campaignid=900', 'google', 'google', '', '900'],
  ])('on the page %s has its campaign', async (rest, channel, source, utm_id, network_campaign_id) => {
    const one = event({ url: `https://acme.example/${rest}` });
    await collect(service, WEB, [one]);
    expect(readRows(one.event_id)).toMatchObject([
      { channel, source, utm_id, network_campaign_id: network_campaign_id || utm_id, click_id_type: '' },
    ]);
  });

  test('in the future is now, whichever key sends it', async () => {
    for (const headers of [WEB, SERVER]) {
      const one = event({ time: '2099-01-01T00:00:00Z' });
      await collect(service, headers, [one]);
      const [row] = readRows(one.event_id);
      expect(row?.time).toBe(row?.received_at);
    }
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
    expect(readRows(long.event_id)).toMatchObject([{ utm_source: 'x'.repeat(10_000) }]);
    expect(readRows(script.event_id)).toMatchObject([{ utm_campaign: "'; DROP TABLE adtrail.web_events; --" }]);
  });

  test('by a clock an hour slow is moved by what sent_at is off', async () => {
    const clock = Date.now() - 3_600_000;
    const one = event({ time: new Date(clock - 10_000).toISOString() });
    const body = JSON.stringify({ events: [one], sent_at: new Date(clock).toISOString() });
    expect((await service.request('/collect/v1/web', { method: 'POST', headers: WEB, body })).status).toBe(202);
    const [row] = readRows(one.event_id);
    expect((row?.received_at as number) - (row?.time as number)).toBe(10_000);
  });

  test('in a body of invalid UTF-8 is refused: no character of an ID is guessed', async () => {
    const one = event({ visitor_id: 'v-?' });
    const body = Buffer.from(JSON.stringify({ events: [one] }));
    body[body.indexOf('?')] = 0xff;
    const response = await service.request('/collect/v1/web', { method: 'POST', headers: WEB, body });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ msg: expect.stringContaining('utf-8') as string });
    expect(readRows(one.event_id)).toEqual([]);
  });
});
