/**
 * POST /collect/v1/app on real engines: what is stored, and once (docs/contract/collectors.md). What is taken and
 * refused, and what is made of it, is in test/unit/collect/collect-app.test.ts; kills are in ./collect-kills.test.ts.
 */
import * as client from '../../support/collect/collect-client';
import { appEvent, post, type Json } from '../../support/collect/collect-client';
import { gzipSync } from 'node:zlib';
import { idByName } from '../../support/s2s/s2s-client';
import { ownNames } from '../../support/workspace/own-names';
import { answered, eventually, type Service } from '../../support/service';
import { sharedService } from '../../support/shared-service';
import { workspace } from '../../support/workspace/workspace';

const service = sharedService();
const own = ownNames('collect-app');
const serverKey = { 'service-key': own(client.SERVER_KEY) };
const appKey = { 'app-key': own(client.APP_KEY) };
const collectApp = (to: Pick<Service, 'request'>, events: unknown, headers: Record<string, string> = serverKey) =>
  client.collectApp(to, events, headers);

const document = {
  ...workspace,
  projects: workspace.projects.map((project) =>
    project.name === 'Acme Shop'
      ? { ...project, server_keys: [client.SERVER_KEY], app_keys: [client.APP_KEY] }
      : project.name === 'Nothing On'
        ? { ...project, server_keys: ['other-server-key'] }
        : project,
  ),
};

beforeAll(async () => {
  await service.apply(own.document(document));
});

const stored = (where: string) =>
  service.rows<Json>(`SELECT * FROM analytics.app_events WHERE ${where} ORDER BY time, event_id`);
/** Unique in the installation, as event IDs are in a project. */
const installId = () => `i-${Math.random().toString(36).slice(2)}`;

test('how far a project is set up, and what it was refused, of itself alone', async () => {
  const id = await idByName(service, 'projects', own('Nothing On'));
  const headers = { 'service-key': own('other-server-key') };
  const setup = async (project = id) => (await service.admin('GET', `/projects/${project}/setup`)).body;
  const before = (await setup()).steps as { step: string; done: boolean }[];
  expect(before.map(({ step }) => step)).toEqual(['app', 'domain', 'key', 'event', 'click', 'spend']);
  expect(before.find(({ step }) => step === 'event')?.done).toBe(false);
  const unknown = appEvent('open', { app_id: 'com.nobody' });
  expect((await collectApp(service, [unknown, unknown], headers)).rejected).toHaveLength(2);
  const row = { date: '2026-03-05', network: 'META', account: 'act_no', campaign_id: '1', spend: 1, currency: 'USD' };
  await service.request('/collect/v1/spend', {
    method: 'PUT',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ rows: [row] }),
  });
  const refused = await eventually('what was refused is there', async () => {
    const { refused } = (await setup()) as { refused: Json[] };
    return refused.length === 2 ? refused : undefined;
  });
  const last_at = expect.stringMatching(/^\d{4}-.*Z$/) as string;
  expect(refused).toEqual(
    expect.arrayContaining([
      { source: 'app', reason: 'unknown_app', field: 'app_id', refused: 2, last_at },
      { source: 'spend', reason: 'unknown_account', field: 'account', refused: 1, last_at },
    ]),
  );
  expect((await service.admin('GET', '/projects/999999999/setup')).status).toBe(404);
});

describe('a batch', () => {
  test('is taken by both kinds of keys, and by no other', async () => {
    const install_id = installId();
    for (const headers of [appKey, serverKey])
      expect(await collectApp(service, [appEvent('open', { install_id })], headers)).toMatchObject({
        status: 202,
        accepted: 1,
        rejected: [],
      });
    expect(await stored(`install_id = '${install_id}'`)).toHaveLength(2);
    expect(await collectApp(service, [], { 'app-key': 'nonsense' })).toMatchObject({ status: 401 });
    expect(await post(service, 'events', serverKey)).toMatchObject({ status: 400 });
    const other = await service.request('/collect/v1/app');
    expect([other.status, other.headers.get('allow')]).toEqual([405, 'POST']);
  });

  test('of 1,000 events, as gzip', async () => {
    const install_id = installId();
    const body = gzipSync(
      JSON.stringify({ events: Array.from({ length: 1000 }, () => appEvent('open', { install_id })) }),
    );
    const send = () => post(service, body, { ...serverKey, 'Content-Encoding': 'gzip' });
    expect(await answered(send)).toMatchObject({ status: 202, accepted: 1000 });
    expect(await stored(`install_id = '${install_id}'`)).toHaveLength(1000);
  });

  test('names index, reason and field of what it refuses, and stores the good ones beside it', async () => {
    const install_id = installId();
    const good = () => appEvent('open', { install_id });
    const bad = [
      appEvent('launch'),
      null,
      appEvent('install', { attribution: { campaign_display_id: 'off1' } }),
      appEvent('open', { app_id: 'com.off' }),
    ];
    expect(await collectApp(service, [good(), ...bad, good()])).toMatchObject({
      status: 202,
      accepted: 2,
      rejected: [
        { index: 1, reason: 'unknown_type', field: 'type' },
        { index: 2, reason: 'invalid_field', field: '' },
        { index: 3, reason: 'invalid_field', field: 'attribution.campaign_display_id' },
        { index: 4, reason: 'unknown_app', field: 'app_id' },
      ],
    });
    expect(await stored(`install_id = '${install_id}'`)).toHaveLength(2);
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
      appEvent('open', {
        install_id,
        time: '2026-03-01T10:00:03Z',
        link: 'https://collect-app-go.acme.example/?c=second',
      }),
      appEvent('open', {
        install_id,
        time: '2026-03-01T10:00:04Z',
        link: 'https://collect-app-go.acme.example/second',
      }),
      appEvent('open', { install_id, time: '2026-03-01T10:00:05Z', link: 'acme://x?c=nonesuch' }),
    ]);
    const [install, gold, plain, ...opens] = await stored(`install_id = '${install_id}'`);
    const projectId = install?.project_id as number;
    const [{ id: campaignId } = { id: 0 }] = await service.rows<{ id: number }>(
      `SELECT campaign_id AS id FROM adtrail.campaigns FINAL WHERE display_id = 'second' AND project_id = ${projectId}`,
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

  test('names are in one form, IDs stay as they are, and what no engine stores is mended', async () => {
    const install_id = `${installId()}-e\u0301`;
    await collectApp(service, [
      appEvent('event', {
        install_id,
        time: '2026-03-01T10:00:00Z',
        name: '\u200bcafe\u0301\u00a0',
        device: { brand: ['a\0b', '\ud83d'], 'x\0': 1, device_id: '\0' },
        user: { id: 'u1', name: '\ude00' },
      }),
      appEvent('payment', {
        install_id,
        time: '2026-03-01T10:00:01Z',
        amount: 1,
        currency: 'EUR',
        payment_type: ' GOLD ',
      }),
      appEvent('payment', { install_id, time: '2026-03-01T10:00:02Z', amount: 1, currency: 'EUR', payment_type: ' ' }),
    ]);
    const [event, gold, plain] = await stored(`install_id = '${install_id}'`);
    expect(event).toMatchObject({ install_id, name: 'caf\u00e9', user_id: 'u1' });
    expect(JSON.parse(event?.device as string)).toEqual({
      brand: ['a\ufffdb', '\ufffd'],
      'x\ufffd': 1,
      device_id: '\ufffd',
    });
    expect(JSON.parse(event?.user as string)).toEqual({ id: 'u1', name: '\ufffd' });
    expect([gold?.payment_type, plain?.payment_type]).toEqual(['GOLD', 'DEFAULT']);
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
});

describe('once', () => {
  test('a repeat whose clock was off differently changes nothing', async () => {
    const clock = Date.now() - 3_600_000;
    const event = appEvent('open', { install_id: installId(), time: new Date(clock - 10_000).toISOString() });
    for (const sent_at of [clock, Date.now() - 7_200_000]) {
      const body = JSON.stringify({ events: [event], sent_at: new Date(sent_at).toISOString() });
      expect((await answered(() => post(service, body, appKey))).status).toBe(202);
    }
    const rows = await service.rows<{ age: number }>(
      `SELECT toInt32(toUnixTimestamp64Milli(received_at) - toUnixTimestamp64Milli(time)) AS age
       FROM analytics.app_events WHERE event_id = '${event.event_id as string}'`,
    );
    expect(rows).toEqual([{ age: 10_000 }]);
  });

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
    await collectApp(service, [{ ...event, app_id: 'com.off' }], { 'service-key': own('other-server-key') });
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
      (await Promise.all(batches.map((batch) => collectApp(service, batch)))).map(({ accepted }) => accepted),
    ).toEqual(batches.map(() => 300));
    expect(await stored(`install_id = '${install_id}'`)).toHaveLength(300);
  });

  /** As another process stores what stands on the install `first` already, and does not know of it. */
  const storeRepeat = (first: string, second: string) =>
    service.clickhouse.command({
      query: `INSERT INTO adtrail.app_events
        SELECT * REPLACE ('${second}' AS install_id, version - 1 AS version, now64(3) AS stored_at)
        FROM adtrail.app_events AS event
        WHERE event.install_id = '${first}'`,
    });
  const readRows = (install_id: string, isDeleted: 0 | 1) =>
    service.rows(`SELECT 1 FROM adtrail.app_events WHERE install_id = '${install_id}' AND is_deleted = ${isDeleted}`);
  const isHidden = (install_id: string) =>
    eventually('the repeat is hidden', async () => ((await readRows(install_id, 1)).length > 0 ? true : undefined));

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
      expect(await readRows(second, 0)).toHaveLength(1);
      await isHidden(second);
      expect(await stored(`event_id = '${event.event_id as string}'`)).toMatchObject([{ install_id: first }]);
    },
  );

  test('a genuine install event is there beside one that is hidden only later', async () => {
    const [first, second] = [installId(), installId()];
    await collectApp(service, [appEvent('install', { install_id: first })]);
    // Until the repeat is hidden a merge may take the genuine one for a second one of the install.
    await service.clickhouse.command({ query: 'SYSTEM STOP MERGES adtrail.app_events' });
    const genuine = appEvent('install', { install_id: second });
    const events = () => stored(`install_id = '${second}'`);
    try {
      await storeRepeat(first, second);
      await collectApp(service, [genuine]);
      await isHidden(second);
      await eventually('it is there', async () => ((await events()).length > 0 ? true : undefined));
    } finally {
      await service.clickhouse.command({ query: 'SYSTEM START MERGES adtrail.app_events' });
    }
    expect((await events()).map(({ event_id }) => event_id)).toEqual([genuine.event_id]);
    await eventually('the install is decided', async () =>
      (await service.rows(`SELECT 1 FROM analytics.installs WHERE install_id = '${second}'`)).length === 1
        ? true
        : undefined,
    );
  });
});
