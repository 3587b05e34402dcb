/**
 * POST /collect/v1/app on a store in memory: what is taken and refused, and what is made of it
 * (docs/contract/collectors.md).
 */
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { isTooLarge } from '../../../src/collect/batch';
import { collectApp, appEvent, APP_KEY, post, SERVER_KEY, type Json } from '../../support/collect/collect-client';
import { startInMemory, type InMemory } from '../../support/links/in-memory';
import { workspace } from '../../support/workspace/workspace';

let service: InMemory;
const appKey = { 'app-key': APP_KEY };
const WEB_KEY = 'web-key-of-the-shop';

const document = {
  ...workspace,
  projects: workspace.projects.map((project) =>
    project.name === 'Acme Shop'
      ? { ...project, server_keys: [SERVER_KEY], app_keys: [APP_KEY], web_keys: [WEB_KEY] }
      : project.name === 'Nothing On'
        ? { ...project, server_keys: ['other-server-key'] }
        : project,
  ),
};

beforeAll(async () => {
  service = await startInMemory(document);
});
afterAll(() => service?.close());

/** The stored events of an install, in the order of their times. */
const stored = (install_id: string) =>
  service.appEvents
    .filter((event) => event.install_id === install_id)
    .sort((a, b) => (a.time as number) - (b.time as number));
const installId = () => `i-${Math.random().toString(36).slice(2)}`;
const ms = (time: string) => Date.parse(time);

describe('keys', () => {
  test.each([
    ['none', {}],
    ['a wrong app key', { 'app-key': 'nonsense' }],
    ['a wrong server key, though the app key is right', { 'service-key': 'nonsense', ...appKey }],
    ['a web key', { 'app-key': 'web-key-of-the-shop' }],
    ['a server key in the place of an app key', { 'app-key': SERVER_KEY }],
    ['an app key in the place of a server key', { 'service-key': APP_KEY }],
  ])('401 with %s', async (_, headers) => {
    const { status, body } = await collectApp(service, [], headers);
    expect([status, body]).toEqual([401, { msg: 'Unauthorized access.', status: 401 }]);
  });
});

describe('bodies', () => {
  test.each([
    ['no JSON', 'events', 400],
    ['an array', '[]', 400],
    ['no events', '{}', 400],
    ['events that are no array', '{"events": {}}', 400],
    ['too many events', JSON.stringify({ events: Array.from({ length: 1001 }, () => ({})) }), 413],
    ['more than 5 MB', JSON.stringify({ events: ['x'.repeat(5.1 * 1024 * 1024)] }), 413],
  ])('%s', async (_, body, status) => {
    expect((await post(service, body, { 'service-key': SERVER_KEY })).status).toBe(status);
  });

  test('none at all is a batch too', async () => {
    expect(await collectApp(service, [])).toMatchObject({ status: 202, accepted: 0, rejected: [] });
  });

  const joinBytes = (name: string, encoding: BufferEncoding = 'utf8', mark = '') =>
    Buffer.from(
      `${mark}${JSON.stringify({ events: [appEvent('event', { name, event_id: `body-${installId()}` })] })}`,
      encoding,
    );
  const collect = async (body: Buffer, headers: Record<string, string>) => {
    const answer = await post(service, body, { 'service-key': SERVER_KEY, ...headers });
    return [answer.status, answer.body] as const;
  };
  const ACCEPTED = [202, { accepted: 1, rejected: [] }];

  test.each<[string, (body: Buffer) => Buffer]>([
    ['gzip', gzipSync],
    ['GZIP', gzipSync],
    ['x-gzip', gzipSync],
    ['X-GZip', gzipSync],
    [' gzip ', gzipSync],
    ['identity, gzip', gzipSync],
    ['gzip,', gzipSync],
    ['deflate', deflateSync],
    ['Deflate', deflateSync],
    ['br', brotliCompressSync],
    ['identity', (body) => body],
    ['Identity', (body) => body],
    ['', (body) => body],
  ])('Content-Encoding %j', async (encoding, compress) => {
    expect(await collect(compress(joinBytes('x')), { 'Content-Encoding': encoding })).toEqual(ACCEPTED);
  });

  test.each(['zip', 'compress', 'gzip, gzip', 'gzip deflate', 'constructor'])(
    'Content-Encoding %j is 415 by name',
    async (encoding) => {
      expect(await collect(gzipSync(joinBytes('x')), { 'Content-Encoding': encoding })).toEqual([
        415,
        {
          msg: expect.stringContaining(
            `Content-Encoding ${JSON.stringify(encoding)} is none of gzip, deflate, br`,
          ) as string,
          status: 415,
        },
      ]);
    },
  );

  test.each(['gzip', 'deflate', 'br'])('what is not %s is 400', async (encoding) => {
    expect(await collect(joinBytes('x'), { 'Content-Encoding': encoding })).toMatchObject([400, {}]);
  });

  test.each<[string, Buffer]>([
    ['application/json; charset=utf-8', joinBytes('größe €')],
    ['application/json; charset="UTF-8"', joinBytes('größe €')],
    ['application/json;charset=utf8', joinBytes('größe €')],
    ['application/json', joinBytes('größe €', 'utf8', '\ufeff')],
    ['application/json; charset=iso-8859-1', joinBytes('größe €'.replace('€', '\x80'), 'latin1')],
    ['text/plain; Charset = windows-1252', joinBytes('größe €'.replace('€', '\x80'), 'latin1')],
    ['application/json; charset=utf-16', joinBytes('größe €', 'utf16le', '\ufeff')],
    ['application/json; charset=UTF-16LE', joinBytes('größe €', 'utf16le')],
    ['application/json; charset=utf-16be', joinBytes('größe €', 'utf16le').swap16()],
    ['application/json', joinBytes('größe €', 'utf16le', '\ufeff')],
  ])('%s', async (type, bytes) => {
    expect(await collect(bytes, { 'Content-Type': type })).toEqual(ACCEPTED);
    const text = bytes.toString('latin1').replaceAll('\0', '');
    const [event_id] = /body-i-[a-z0-9]+/.exec(text) ?? [];
    expect(service.appEvents.filter((event) => event.event_id === event_id)).toMatchObject([{ name: 'größe €' }]);
  });

  test.each<[string, string, Buffer, number, string]>([
    ['bytes that are no UTF-8', 'application/json', joinBytes('größe', 'latin1'), 400, 'The body is no text in utf-8.'],
    ['the same, declared', 'text/plain; charset=utf-8', joinBytes('ö', 'latin1'), 400, 'The body is no text in utf-8.'],
    ['no UTF-16', 'text/json; charset=utf-16', Buffer.from('{"a":"x"}'), 400, 'The body is no text in utf-16le.'],
    ['eight bits', 'text/plain; charset=us-ascii', joinBytes('ö'), 400, 'The body is no text in us-ascii.'],
    ['no charset', 'application/json; charset=klingon', joinBytes('x'), 415, 'The charset "klingon" of Content-Type'],
  ])('%s: refused', async (_, type, bytes, status, message) => {
    expect(await collect(bytes, { 'Content-Type': type })).toEqual([
      status,
      { msg: expect.stringContaining(message) as string, status },
    ]);
  });

  test('another method is 405 with Allow', async () => {
    const response = await service.request('/collect/v1/app');
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  });
});

describe('rejections name index, reason and field, and never block the good ones beside them', () => {
  const long = 'x'.repeat(256);
  const days = (n: number) => new Date(Date.now() - n * 86_400_000).toISOString();
  const cases: [string, unknown, string, string, Record<string, string>?][] = [
    ...['event_id', 'type', 'time', 'app_id', 'install_id'].flatMap((field): [string, unknown, string, string][] => [
      [`no ${field}`, appEvent('open', { [field]: undefined }), 'missing_field', field],
      [`null ${field}`, appEvent('open', { [field]: null }), 'missing_field', field],
      [`empty ${field}`, appEvent('open', { [field]: '' }), 'missing_field', field],
    ]),
    ['no name of an event', appEvent('event', { name: undefined }), 'missing_field', 'name'],
    ['no amount of a payment', appEvent('payment', { amount: undefined }), 'missing_field', 'amount'],
    ['no currency of a payment', appEvent('payment', { currency: '' }), 'missing_field', 'currency'],
    ['no currency of a refund', appEvent('refund', { currency: null }), 'missing_field', 'currency'],
    ['an amount without currency', appEvent('event', { amount: 1 }), 'missing_field', 'currency'],
    ['another type', appEvent('launch'), 'unknown_type', 'type'],
    ['a type in capitals', appEvent('OPEN'), 'unknown_type', 'type'],
    ['a type that is no text', appEvent('open', { type: 7 }), 'unknown_type', 'type'],
    ['a time without zone', appEvent('open', { time: '2026-01-01T00:00:00' }), 'invalid_field', 'time'],
    ['a time in seconds', appEvent('open', { time: 1767225600 }), 'invalid_field', 'time'],
    ['a day that is none', appEvent('open', { time: '2026-02-30T00:00:00Z' }), 'invalid_field', 'time'],
    ['a time before 1970', appEvent('open', { time: '1969-12-31T23:59:59Z' }), 'invalid_field', 'time'],
    ['a long event_id', appEvent('open', { event_id: long }), 'invalid_field', 'event_id'],
    ['a numeric install_id', appEvent('open', { install_id: 7 }), 'invalid_field', 'install_id'],
    ['a gaid that is no UUID', appEvent('open', { gaid: 'abc' }), 'invalid_field', 'gaid'],
    [
      'an idfa without hyphens',
      appEvent('open', { idfa: '6d92078a82464ba4ae5b76104861e7dc' }),
      'invalid_field',
      'idfa',
    ],
    ['a device that is no object', appEvent('open', { device: 'Pixel' }), 'invalid_field', 'device'],
    ['a user that is no object', appEvent('open', { user: [] }), 'invalid_field', 'user'],
    ['a user ID that is no text', appEvent('open', { user: { id: 7 } }), 'invalid_field', 'user.id'],
    ['a negative amount', appEvent('payment', { amount: -1 }), 'invalid_field', 'amount'],
    ['an amount as text', appEvent('payment', { amount: '9.99' }), 'invalid_field', 'amount'],
    ['a currency that is none', appEvent('payment', { currency: 'US$' }), 'invalid_field', 'currency'],
    ['a NUL in an ID', appEvent('event', { event_id: 'a\0b' }), 'invalid_field', 'event_id'],
    ['half a surrogate pair in an ID', appEvent('open', { install_id: '\ud83d' }), 'invalid_field', 'install_id'],
    ["a NUL in a user's ID", appEvent('open', { user: { id: '\0' } }), 'invalid_field', 'user.id'],
    [
      "half a surrogate pair in an ad's ID",
      appEvent('install', { attribution: { campaign_display_id: 'AbC123', ad_id: '\ude00' } }),
      'invalid_field',
      'attribution.ad_id',
    ],
    [
      'a campaign ID that a spreadsheet has changed',
      appEvent('install', { attribution: { network: 'META', network_campaign_id: '1.20215E+17' } }),
      'invalid_field',
      'attribution.network_campaign_id',
    ],
    ...['null', 'undefined', '(null)', 'NaN', '00000000-0000-0000-0000-000000000000'].flatMap(
      (none): [string, unknown, string, string][] =>
        ['event_id', 'install_id'].map((field) => [
          `${field} ${none}, which stands for none`,
          appEvent('open', { [field]: none }),
          'missing_field',
          field,
        ]),
    ),
    ...[0, -1, '0', '1970-01-01T00:00:00Z', '1970-01-01T05:30:00+05:30', '9999-12-31T23:59:59Z'].map(
      (time): [string, unknown, string, string] => [
        `the time ${time}, which is none`,
        appEvent('open', { time }),
        'invalid_field',
        'time',
      ],
    ),
    ['an event without anything to see in its name', appEvent('event', { name: ' \u200b' }), 'missing_field', 'name'],
    ['another app', appEvent('open', { app_id: 'com.off' }), 'unknown_app', 'app_id'],
    ['too much', appEvent('open', { device: { x: 'é'.repeat(33_000) } }), 'too_large', ''],
    ['no object', 'open', 'invalid_field', ''],
    ['null', null, 'invalid_field', ''],
    ['31 days old, from an app', appEvent('open', { time: days(31) }), 'too_old', 'time', appKey],
    ['a refund, from an app', appEvent('refund'), 'forbidden_field', 'type', appKey],
    [
      'attribution, from an app',
      appEvent('install', { attribution: { campaign_display_id: 'AbC123' } }),
      'forbidden_field',
      'attribution',
      appKey,
    ],
    [
      'attribution to no campaign',
      appEvent('install', { attribution: { campaign_display_id: 'nonesuch' } }),
      'invalid_field',
      'attribution.campaign_display_id',
    ],
    [
      'attribution to the campaign of another project',
      appEvent('install', { attribution: { campaign_display_id: 'off1' } }),
      'invalid_field',
      'attribution.campaign_display_id',
    ],
    [
      'attribution to nothing',
      appEvent('install', { attribution: { touch_type: 'click' } }),
      'missing_field',
      'attribution.campaign_display_id',
    ],
    [
      'attribution to a network alone',
      appEvent('install', { attribution: { network: 'META' } }),
      'missing_field',
      'attribution.network_campaign_id',
    ],
    [
      'attribution to a touch of another kind',
      appEvent('install', { attribution: { campaign_display_id: 'AbC123', touch_type: 'view' } }),
      'invalid_field',
      'attribution.touch_type',
    ],
  ];

  test.each(cases)('%s', async (_, event, reason, field, headers = undefined) => {
    const install_id = installId();
    const good = () => appEvent('open', { install_id });
    expect(await collectApp(service, [good(), event, good()], headers)).toMatchObject({
      status: 202,
      accepted: 2,
      rejected: [{ index: 1, reason, field }],
    });
    expect(stored(install_id)).toHaveLength(2);
  });

  test('29 days old is good from an app, years old from a server', async () => {
    expect(await collectApp(service, [appEvent('open', { time: days(29) })], appKey)).toMatchObject({ accepted: 1 });
    expect(await collectApp(service, [appEvent('open', { time: days(3000) })])).toMatchObject({ accepted: 1 });
  });
});

describe('what is stored', () => {
  test.each([
    ['the epoch', '1970-01-01T00:00:00Z'],
    ['the epoch elsewhere', '1970-01-01T01:00:00+01:00'],
    ['midnight of the epoch elsewhere', '1970-01-01T00:00:00-08:00'],
    ['before the epoch', '1969-12-31T23:59:59.999Z'],
    ['zero', 0],
    ['minus one', -1],
    ['zero as text', '0'],
    ['minus one as text', '-1'],
    ['nothing', ''],
    ['null', null],
    ['a space', ' '],
    ['the year 9999', '9999-12-31T23:59:59.999Z'],
    ['the year 1', '0001-01-01T00:00:00Z'],
    ['the year 0', '0000-00-00T00:00:00Z'],
    ['undefined as text', 'undefined'],
    ['a time years from now', '2199-01-01T00:00:00Z'],
  ])('%s is no time of an install that has others', async (_, none) => {
    const install_id = installId();
    const answer = await collectApp(service, [
      appEvent('install', {
        install_id,
        time: '2026-03-01T10:00:00Z',
        referrer_click_time: none,
        install_begin_time: none,
        attribution: { campaign_display_id: 'AbC123', touched_at: none },
      }),
    ]);
    expect(answer).toMatchObject({ accepted: 1, rejected: [] });
    const [install] = stored(install_id);
    expect(install).toMatchObject({
      time: ms('2026-03-01T10:00:00.000Z'),
      referrer_click_time: null,
      install_begin_time: null,
    });
    expect(JSON.parse(install?.attribution as string)).toMatchObject({ touched_at: 0 });
  });

  test.each([
    '00000000-0000-0000-0000-000000000000',
    '00000000000000000000000000000000',
    '0',
    '-',
    'null',
    'NIL',
    'unknown',
  ])('the advertising ID %s is none, and loses no install', async (none) => {
    const install_id = installId();
    const sent = appEvent('install', {
      install_id,
      gaid: none,
      idfa: none,
      ip: '0.0.0.0',
      user: { id: 'null', tier: 1 },
    });
    expect(await collectApp(service, [sent])).toMatchObject({ accepted: 1, rejected: [] });
    const [install] = stored(install_id);
    expect(install).toMatchObject({ gaid: null, idfa: null, ip: '', user_id: '' });
    expect(JSON.parse(install?.user as string)).toEqual({ id: null, tier: 1 });
  });

  test('codes in any case, long names, and long values lose no install', async () => {
    const install_id = installId();
    const long = (n: number) => 'é'.repeat(n);
    const attribution = {
      network: 'meta',
      network_campaign_id: `long-${install_id}`,
      network_campaign_name: long(1_025),
      ad_set_name: `${long(300)} `,
      ad_name: long(1_024),
      keyword_name: 'cafe\u0301\u200b',
      ad_type: long(300),
      publisher_platform: long(300),
      platform_position: long(255),
    };
    const click = '6d92078a-8246-4ba4-ae5b-76104861e7dc';
    const sent = [
      appEvent('install', {
        install_id,
        time: '2026-03-01T10:00:00Z',
        attribution,
        ua: `${'u'.repeat(2_047)}\u{1F600}${'u'.repeat(1_000)}`,
        ip: 'x'.repeat(100),
        referrer: `utm_content=${'x'.repeat(3_000)}&svc_ia_id=${click}`,
      }),
      appEvent('payment', { install_id, time: '2026-03-01T10:00:01Z', amount: 1, currency: ' usd' }),
      appEvent('open', {
        install_id,
        time: '2026-03-01T10:00:02Z',
        link: `https://go.acme.example/second?x=${'x'.repeat(3_000)}`,
      }),
    ];
    expect(await collectApp(service, sent)).toMatchObject({ accepted: 3, rejected: [] });
    const [install, payment, open] = stored(install_id);
    expect(install).toMatchObject({ referrer_click_id: click, ua: `${'u'.repeat(2_047)}\ufffd`, ip: '' });
    expect(payment).toMatchObject({ currency: 'USD' });
    expect(open?.link_campaign_id).toBeGreaterThan(0);
    expect(JSON.parse(install?.attribution as string)).toMatchObject({
      ...attribution,
      network: 'META',
      network_campaign_name: long(1_024),
      ad_set_name: long(300),
      keyword_name: 'caf\u00e9',
      ad_type: long(255),
      publisher_platform: long(255),
    });
  });

  test('a time in the future is now', async () => {
    const install_id = installId();
    await collectApp(service, [appEvent('open', { install_id, time: '2199-01-01T00:00:00Z' })]);
    const [open] = stored(install_id);
    expect(open?.time).toBe(open?.received_at);
  });

  test.each([
    ['raw', 'svc_ia_id=6d92078a-8246-4ba4-ae5b-76104861e7dc'],
    ['raw, between others', 'a=b&svc_ia_id=6d92078a-8246-4ba4-ae5b-76104861e7dc&c=d'],
    ['encoded', 'svc_ia_id%3D6d92078a-8246-4ba4-ae5b-76104861e7dc'],
    ['encoded, between others', 'a%3Db%26svc_ia_id%3D6d92078a-8246-4ba4-ae5b-76104861e7dc%26c%3Dd'],
  ])('the click of a referrer: %s', async (_, referrer) => {
    const install_id = installId();
    await collectApp(service, [appEvent('install', { install_id, referrer })]);
    expect(stored(install_id)).toMatchObject([{ referrer, referrer_click_id: '6d92078a-8246-4ba4-ae5b-76104861e7dc' }]);
  });
});

describe('clocks', () => {
  const at = (ms: number) => new Date(ms).toISOString();
  const MINUTE = 60_000;
  const HOUR = 60 * MINUTE;
  /** The times of an install that was sent with these, `off` milliseconds from now by its sender's clock. */
  const send = async (off: number, more: Json = {}, headers: Record<string, string> = appKey) => {
    const install_id = installId();
    const clock = Date.now() + off;
    const event = appEvent('install', {
      install_id,
      time: at(clock - 10_000),
      referrer_click_time: at(clock - 40_000),
      install_begin_time: at(clock - 30_000),
    });
    const body = JSON.stringify({ events: [event], ...(more.sent_at === 'now' ? { sent_at: at(clock) } : more) });
    expect((await post(service, body, headers)).body).toEqual({ accepted: 1, rejected: [] });
    const [install] = stored(install_id);
    const [time, click, begin] = [install?.time, install?.referrer_click_time, install?.install_begin_time] as number[];
    const received = install?.received_at as number;
    return { age: received - (time as number), click: time! - click!, begin: time! - begin! };
  };

  test.each([
    ['two minutes fast', 2 * MINUTE],
    ['an hour slow', -HOUR],
    ['ten seconds fast', 10_000],
    ['years slow, as a phone is that has lost its clock', -20 * 365 * 24 * HOUR],
    ['a century fast', 100 * 365 * 24 * HOUR],
  ])('%s: all times move by what sent_at is off', async (_, off) => {
    const { age, click, begin } = await send(off, { sent_at: 'now' });
    expect([age, click, begin]).toEqual([10_000, 30_000, 20_000]);
  });

  test('less than five seconds off is as it should be', async () => {
    const { age } = await send(-3_000, { sent_at: 'now' });
    expect(age).toBeGreaterThanOrEqual(13_000);
  });

  test("without sent_at a time in the future is now, and the event's other times move with it", async () => {
    const { age, click, begin } = await send(2 * MINUTE);
    expect([age, click, begin]).toEqual([0, 30_000, 20_000]);
  });

  test.each([
    ['the epoch', '1970-01-01T00:00:00Z'],
    ['the year 9999', '9999-12-31T23:59:59Z'],
    ['a number', 0],
    ['a text', 'yesterday'],
    ['a time without zone', '2026-01-01T00:00:00'],
    ['an object', {}],
    ['null', null],
    ['nothing', ''],
  ])('%s as sent_at says nothing', async (_, sent_at) => {
    const { age, click } = await send(-HOUR, { sent_at });
    expect(age).toBeGreaterThanOrEqual(HOUR + 10_000);
    expect(age).toBeLessThan(HOUR + 5 * MINUTE);
    expect(click).toBe(30_000);
  });

  test('a server that sends old events with an honest clock is believed', async () => {
    const install_id = installId();
    const times = { time: '2024-03-01T10:00:00Z', referrer_click_time: '2024-03-01T09:00:00Z' };
    const body = { events: [appEvent('install', { install_id, ...times })], sent_at: at(Date.now()) };
    expect((await post(service, JSON.stringify(body), { 'service-key': SERVER_KEY })).status).toBe(202);
    expect(stored(install_id)).toMatchObject([
      { time: ms('2024-03-01T10:00:00.000Z'), referrer_click_time: ms('2024-03-01T09:00:00.000Z') },
    ]);
  });

  test('what has no time is none after it has moved, and what is too old stays so', async () => {
    const install_id = installId();
    const clock = Date.now() - HOUR;
    const events = [
      appEvent('install', { install_id, time: at(clock), referrer_click_time: '1970-01-01T00:00:00Z' }),
      appEvent('open', { install_id, time: at(clock - 31 * 24 * HOUR) }),
    ];
    const answer = await post(service, JSON.stringify({ events, sent_at: at(clock) }), appKey);
    expect(answer.body).toEqual({ accepted: 1, rejected: [{ index: 1, reason: 'too_old', field: 'time' }] });
    expect(stored(install_id)).toMatchObject([{ referrer_click_time: null }]);
  });
});

test('an event has 64 kB at most, as JSON', () => {
  const withBytes = (bytes: number) => ({ x: 'é'.repeat((bytes - '{"x":""}'.length) / 2) });
  expect([65_536, 65_538].map((bytes) => isTooLarge(withBytes(bytes)))).toEqual([false, true]);
});
