/**
 * POST /collect/v1/app: durable before it answers, idempotent, checked event by event (docs/contract.md, Collectors).
 */
import {
  collectApp,
  collectGzip,
  appEvent,
  APP_KEY,
  post,
  SERVER_KEY,
  taken,
  type Json,
} from '../support/collect-client';
import { eventually, startService, type RunningService } from '../support/service';
import { workspace } from '../support/workspace';

let service: RunningService;
const appKey = { 'app-key': APP_KEY };

const document = {
  ...workspace,
  projects: workspace.projects.map((project) =>
    project.name === 'Acme Shop'
      ? { ...project, server_keys: [SERVER_KEY], app_keys: [APP_KEY], web_keys: ['web-key-of-the-shop'] }
      : project.name === 'Nothing On'
        ? { ...project, server_keys: ['other-server-key'] }
        : project,
  ),
};

beforeAll(async () => {
  service = await startService();
  await service.apply(document);
});
afterAll(() => service.dispose());

const stored = (where: string) =>
  service.rows<Json>(`SELECT * FROM analytics.app_events WHERE ${where} ORDER BY time, event_id`);
const installId = () => `i-${Math.random().toString(36).slice(2)}`;

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

  test('both kinds are good', async () => {
    const install_id = installId();
    expect(await collectApp(service, [appEvent('open', { install_id })], appKey)).toMatchObject({
      status: 202,
      accepted: 1,
      rejected: [],
    });
    expect(await collectApp(service, [appEvent('open', { install_id })])).toMatchObject({
      status: 202,
      accepted: 1,
      rejected: [],
    });
    expect(await stored(`install_id = '${install_id}'`)).toHaveLength(2);
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

  test('gzip', async () => {
    const install_id = installId();
    const events = Array.from({ length: 1000 }, () => appEvent('open', { install_id }));
    expect(await taken(() => collectGzip(service, events))).toMatchObject({ status: 202, accepted: 1000 });
    expect(await stored(`install_id = '${install_id}'`)).toHaveLength(1000);
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
    ['a currency in lower case', appEvent('payment', { currency: 'usd' }), 'invalid_field', 'currency'],
    ['a NUL', appEvent('event', { name: 'a\0b' }), 'invalid_field', 'name'],
    ['a NUL deep inside', appEvent('open', { device: { brand: ['\0'] } }), 'invalid_field', 'device.brand[0]'],
    ['half a surrogate pair', appEvent('event', { name: '\ud83d' }), 'invalid_field', 'name'],
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
    expect(await stored(`install_id = '${install_id}'`)).toHaveLength(2);
  });

  test('29 days old is good from an app, years old from a server', async () => {
    expect(await collectApp(service, [appEvent('open', { time: days(29) })], appKey)).toMatchObject({ accepted: 1 });
    expect(await collectApp(service, [appEvent('open', { time: days(3000) })])).toMatchObject({ accepted: 1 });
  });
});

describe('what is stored', () => {
  test('every field, as sent or in its one form', async () => {
    const install_id = installId();
    await collectApp(service, [
      appEvent('install', {
        install_id,
        time: '2026-03-01T10:00:00.5+05:30',
        gaid: '38400000-8CF0-11BD-B23E-10B96E40000D',
        idfa: '00000000-0000-0000-0000-000000000000',
        ip: '203.0.113.7',
        ua: 'Mozilla/5.0',
        user: { id: 'u1', email: 'a@b.example', tier: 3 },
        device: { brand: 'Google', api_level: 34 },
        referrer: 'utm_source=x&svc_ia_id=6D92078A-8246-4BA4-AE5B-76104861E7DC',
        referrer_click_time: '2026-03-01T04:00:00Z',
        install_begin_time: '2026-03-01T04:10:00Z',
        attribution: { campaign_display_id: 'AbC123', touched_at: '2026-03-01T04:00:00Z' },
      }),
      appEvent('payment', {
        install_id,
        time: '2026-03-01T10:00:01Z',
        amount: 0.1,
        payment_type: 'GOLD',
        currency: 'INR',
      }),
      appEvent('payment', { install_id, time: '2026-03-01T10:00:02Z' }),
      appEvent('open', { install_id, time: '2026-03-01T10:00:03Z', link: 'https://go.acme.example/?c=second' }),
      appEvent('open', { install_id, time: '2026-03-01T10:00:04Z', link: 'https://go.acme.example/second' }),
      appEvent('open', { install_id, time: '2026-03-01T10:00:05Z', link: 'acme://x?c=nonesuch' }),
    ]);
    const [install, gold, plain, ...opens] = await stored(`install_id = '${install_id}'`);
    const [{ id: campaignId } = { id: 0 }] = await service.rows<{ id: number }>(
      "SELECT campaign_id AS id FROM adtrail.campaigns FINAL WHERE display_id = 'second'",
    );
    expect(install).toMatchObject({
      type: 'install',
      time: '2026-03-01 04:30:00.500',
      app_id: 'com.acme.shop',
      platform: 'ANDROID',
      gaid: '38400000-8cf0-11bd-b23e-10b96e40000d',
      idfa: null,
      ip: '203.0.113.7',
      ua: 'Mozilla/5.0',
      user_id: 'u1',
      referrer_click_id: '6d92078a-8246-4ba4-ae5b-76104861e7dc',
      referrer_click_time: '2026-03-01 04:00:00.000',
      install_begin_time: '2026-03-01 04:10:00.000',
    });
    expect([JSON.parse(install?.user as string), JSON.parse(install?.device as string)]).toEqual([
      { id: 'u1', email: 'a@b.example', tier: 3 },
      { brand: 'Google', api_level: 34 },
    ]);
    expect(gold).toMatchObject({ payment_type: 'GOLD', currency: 'INR', name: '' });
    expect(Number(gold?.amount)).toBe(0.1);
    expect(plain).toMatchObject({ payment_type: 'DEFAULT' });
    expect(opens.map((open) => open.link_campaign_id)).toEqual([campaignId, campaignId, 0]);
  });

  test('a time in the future is now', async () => {
    const install_id = installId();
    await collectApp(service, [appEvent('open', { install_id, time: '2199-01-01T00:00:00Z' })]);
    const [open] = await stored(`install_id = '${install_id}'`);
    expect(open?.time).toBe(open?.received_at);
  });

  test('an app cannot name its own address and user agent', async () => {
    const install_id = installId();
    await collectApp(service, [appEvent('open', { install_id, ip: '203.0.113.7', ua: 'made up' })], {
      ...appKey,
      'User-Agent': 'Dalvik/2.1',
    });
    // Tests come from the loopback interface, which is not public.
    expect(await stored(`install_id = '${install_id}'`)).toMatchObject([{ ip: '', ua: 'Dalvik/2.1' }]);
  });

  test.each([
    ['raw', 'svc_ia_id=6d92078a-8246-4ba4-ae5b-76104861e7dc'],
    ['raw, between others', 'a=b&svc_ia_id=6d92078a-8246-4ba4-ae5b-76104861e7dc&c=d'],
    ['encoded', 'svc_ia_id%3D6d92078a-8246-4ba4-ae5b-76104861e7dc'],
    ['encoded, between others', 'a%3Db%26svc_ia_id%3D6d92078a-8246-4ba4-ae5b-76104861e7dc%26c%3Dd'],
  ])('the click of a referrer: %s', async (_, referrer) => {
    const install_id = installId();
    await collectApp(service, [appEvent('install', { install_id, referrer })]);
    expect(await stored(`install_id = '${install_id}'`)).toMatchObject([
      { referrer, referrer_click_id: '6d92078a-8246-4ba4-ae5b-76104861e7dc' },
    ]);
  });
});

describe('once', () => {
  test('an event ID sent again is accepted and changes nothing, whatever install it names', async () => {
    const [first, second] = [installId(), installId()];
    const event = appEvent('payment', { install_id: first, amount: 5 });
    await collectApp(service, [event, event]);
    for (const repeat of [
      event,
      { ...event, amount: 6 },
      { ...event, install_id: second },
      { ...event, type: 'open', time: '2026-01-01T00:00:00Z' },
    ]) {
      expect(await collectApp(service, [repeat])).toMatchObject({ status: 202, accepted: 1, rejected: [] });
    }
    const rows = await stored(`event_id = '${event.event_id as string}'`);
    expect(rows.map(({ install_id, amount, type }) => [install_id, Number(amount), type])).toEqual([
      [first, 5, 'payment'],
    ]);
  });

  test('what an app sends never takes the place of what a server sends, and is no repeat of it', async () => {
    const [one, two] = [installId(), installId()];
    const forged = appEvent('open', { install_id: one, event_id: `order-${one}` });
    const payment = { event_id: `order-${one}`, install_id: two, amount: 100, currency: 'USD' };
    expect(await collectApp(service, [forged], appKey)).toMatchObject({ accepted: 1 });
    expect(await collectApp(service, [appEvent('payment', payment)])).toMatchObject({ accepted: 1 });
    // Nor afterwards.
    expect(await collectApp(service, [{ ...forged, install_id: two, type: 'signup' }], appKey)).toMatchObject({
      accepted: 1,
    });
    const rows = await stored(`event_id = 'order-${one}'`);
    expect(rows.map(({ install_id, type, trusted }) => [install_id, type, trusted]).sort()).toEqual(
      [
        [one, 'open', 0],
        [two, 'payment', 1],
      ].sort(),
    );
    expect(await collectApp(service, [appEvent('payment', payment)])).toMatchObject({ accepted: 1 });
    expect(await stored(`event_id = 'order-${one}'`)).toHaveLength(2);
  });

  test('an install told by an app and one told by a server are both stored', async () => {
    const install_id = installId();
    await collectApp(service, [appEvent('install', { install_id })], appKey);
    await collectApp(service, [appEvent('install', { install_id })]);
    await collectApp(service, [appEvent('install', { install_id })]);
    expect((await stored(`install_id = '${install_id}'`)).map(({ trusted }) => trusted).sort()).toEqual([0, 1]);
  });

  test('an event ID of another project is another event', async () => {
    const event = appEvent('open');
    await collectApp(service, [event]);
    await collectApp(service, [{ ...event, app_id: 'com.off' }], { 'service-key': 'other-server-key' });
    expect(await stored(`event_id = '${event.event_id as string}'`)).toHaveLength(2);
  });

  test('a second install of one install_id is a duplicate', async () => {
    const install_id = installId();
    await collectApp(service, [appEvent('install', { install_id, ip: '203.0.113.1' })]);
    expect(await collectApp(service, [appEvent('install', { install_id, ip: '203.0.113.2' })])).toMatchObject({
      accepted: 1,
      rejected: [],
    });
    expect(await stored(`install_id = '${install_id}'`)).toMatchObject([{ ip: '203.0.113.1' }]);
  });

  test('hundreds of concurrent repeats, in other orders and beside others, are stored once each', async () => {
    const install_id = installId();
    const events = Array.from({ length: 300 }, () => appEvent('open', { install_id }));
    const batches = Array.from({ length: 12 }, (_, i) => [...events.slice(i * 25), ...events.slice(0, i * 25)]);
    expect(
      (await Promise.all(batches.map((batch) => taken(() => collectApp(service, batch))))).map(
        ({ accepted }) => accepted,
      ),
    ).toEqual(batches.map(() => 300));
    expect(await stored(`install_id = '${install_id}'`)).toHaveLength(300);
  });

  test('what was acknowledged survives SIGKILL, and a repeat after it is known', async () => {
    const [first, second] = [installId(), installId()];
    const event = appEvent('open', { install_id: first });
    await collectApp(service, [event]);
    await service.kill();
    await service.restart();
    await eventually('the repeat is accepted', async () =>
      (await collectApp(service, [{ ...event, install_id: second }])).status === 202 ? true : undefined,
    );
    expect(await stored(`event_id = '${event.event_id as string}'`)).toMatchObject([{ install_id: first }]);
  });

  /** As another process stores what stands on the install `first` already, and does not know of it. */
  const storeRepeat = (first: string, second: string) =>
    service.clickhouse.command({
      query: `INSERT INTO adtrail.app_events
        SELECT * REPLACE ('${second}' AS install_id, version - 1 AS version, now64(3) AS stored_at)
        FROM adtrail.app_events AS event
        WHERE event.install_id = '${first}'`,
    });
  const rowsOf = (install_id: string, isDeleted: 0 | 1) =>
    service.rows(`SELECT 1 FROM adtrail.app_events WHERE install_id = '${install_id}' AND is_deleted = ${isDeleted}`);
  const isHidden = (install_id: string) =>
    eventually('the repeat is hidden', async () => ((await rowsOf(install_id, 1)).length > 0 ? true : undefined));

  test.each(['install', 'payment'])(
    'an %s that two processes stored on two installs at once is hidden from the second within seconds',
    async (type) => {
      const [first, second] = [installId(), installId()];
      const event = appEvent(type, {
        install_id: first,
        ...(type === 'payment' ? { amount: 5, currency: 'EUR' } : {}),
      });
      await collectApp(service, [event]);
      await storeRepeat(first, second);
      expect(await rowsOf(second, 0)).toHaveLength(1);
      await isHidden(second);
      expect(await stored(`event_id = '${event.event_id as string}'`)).toMatchObject([{ install_id: first }]);
    },
  );

  describe('an install event that is hidden, of an install that has one of its own', () => {
    const eventsOf = async (install_id: string) =>
      (await stored(`install_id = '${install_id}'`)).map(({ event_id }) => event_id);
    const isDecided = (install_id: string) =>
      eventually('the install is decided', async () =>
        (await service.rows(`SELECT 1 FROM analytics.installs WHERE install_id = '${install_id}'`)).length === 1
          ? true
          : undefined,
      );

    test.each([
      ['an app', appKey],
      ['a server', { 'service-key': SERVER_KEY }],
    ])('by %s: the genuine one that comes later is stored once, and decided', async (_, headers) => {
      const [first, second] = [installId(), installId()];
      const send = (install_id: string) => {
        const event = appEvent('install', { install_id });
        return collectApp(service, [event], headers).then(() => event.event_id);
      };
      await send(first);
      await storeRepeat(first, second);
      await isHidden(second);
      // A process that has just been started knows of it.
      await service.stop();
      await service.restart();
      const genuine = await send(second);
      await send(second);
      expect(await eventsOf(second)).toEqual([genuine]);
      await isDecided(second);
      expect(await eventsOf(first)).toHaveLength(1);
    });

    test('the genuine one that is stored before all processes know of it', async () => {
      const [first, second] = [installId(), installId()];
      await collectApp(service, [appEvent('install', { install_id: first })]);
      // Until the repeat is hidden a merge may take the genuine one for a second one of the install.
      await service.clickhouse.command({ query: 'SYSTEM STOP MERGES adtrail.app_events' });
      await storeRepeat(first, second);
      const genuine = appEvent('install', { install_id: second });
      await collectApp(service, [genuine]);
      await isHidden(second);
      await eventually('it is there', async () => ((await eventsOf(second)).length > 0 ? true : undefined));
      await service.clickhouse.command({ query: 'SYSTEM START MERGES adtrail.app_events' });
      expect(await eventsOf(second)).toEqual([genuine.event_id]);
      await isDecided(second);
    });
  });
});
