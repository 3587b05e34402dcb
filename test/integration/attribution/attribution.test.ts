/**
 * Which touch an install is credited to (docs/contract/attribution.md), over HTTP: touches by S2S, installs by the
 * collector.
 */
import { decided, installsWith } from '../../support/attribution/attribution';
import { APP_KEY, SERVER_KEY, appEvent, collectApp } from '../../support/collect/collect-client';
import { ownNames } from '../../support/workspace/own-names';
import { sharedService } from '../../support/shared-service';
import { TOKEN, workspace } from '../../support/workspace/workspace';

const service = sharedService();
const own = ownNames('attribution');
const installed = installsWith(service, own(SERVER_KEY));
const SHOP = workspace.projects[0];
const document = (attribution: object = {}, more: object = {}) =>
  own.document({
    ...workspace,
    projects: [
      {
        ...SHOP,
        server_keys: [SERVER_KEY],
        app_keys: [APP_KEY],
        attribution,
        ...more,
        campaigns: [
          ...(SHOP?.campaigns ?? []),
          { display_id: 'meta1', name: 'Meta one', network: 'META', network_campaign_id: 'm1' },
          {
            display_id: 'google1',
            name: 'Google one',
            partner: 'Mobi Ads',
            network: 'GOOGLE',
            network_campaign_id: 'g1',
          },
        ],
      },
      ...workspace.projects.slice(1),
    ],
  });

beforeAll(() => service.apply(document()));

const HOUR = 3_600_000;
let number = 0;
const uuid = () =>
  `38400000-8cf0-11bd-b23e-${String(Date.now() % 1e6).padStart(6, '0')}${String((number += 1)).padStart(6, '0')}`;
const ip = () => `203.0.${Math.floor((number += 1) / 250) % 250}.${number % 250}`;
const at = (ms: number) => new Date(Date.now() + ms).toISOString();

/** A touch by S2S; resolves with its ID. */
async function touch(path: string, parameters: Record<string, string>): Promise<string> {
  const query = new URLSearchParams({ app_id: 'com.acme.shop', c: 'AbC123', tid: `t${(number += 1)}`, ...parameters });
  const response = await service.request(`/v1/${path}?${query.toString()}`, {
    headers: { 'X-Service-Token': own(TOKEN) },
  });
  const body = (await response.json()) as Record<string, string>;
  if (response.status !== 200) throw new Error(JSON.stringify(body));
  return (body.click_id ?? body.impression_id) as string;
}
const click = (parameters: Record<string, string>) => touch('click', parameters);
const impression = (parameters: Record<string, string>) => touch('impression', parameters);
const ctv = (parameters: Record<string, string>) => touch('ctv/impression', { ua: 'Tizen', ...parameters });
const millis = (ms: number) => String(Date.now() + ms);

// Each install waits for its decision, so the tests wait together; those that change the settings come after them.
describe('rules', () => {
  test.concurrent('without any touch: organic', async () => {
    expect(await installed({ gaid: uuid(), ip: ip() })).toMatchObject({
      rule: 'organic',
      campaign_display_id: '',
      touch_id: null,
      touch_type: '',
      reinstall: 0,
    });
  });

  test.concurrent('a click with the same gaid', async () => {
    const gaid = uuid();
    const click_id = await click({ gaid, click_time: millis(-2 * HOUR) });
    const install = await installed({ gaid: gaid.toUpperCase() });
    expect(install).toMatchObject({
      rule: 'device_click',
      campaign_display_id: 'AbC123',
      touch_type: 'click',
      touch_id: click_id,
      window_seconds: 7 * 86_400,
      partner_name: own('Mobi Ads'),
      click_injection: 0,
    });
    expect(Math.abs(Number(install.touch_to_install_ms) - 2 * HOUR)).toBeLessThan(60_000);
  });

  test.concurrent(
    'a click with the same idfa, of an app of the project that the click did not name, is not one',
    async () => {
      const idfa = uuid();
      await click({ idfa });
      expect(await installed({ idfa, app_id: 'id1234567890' })).toMatchObject({
        rule: 'organic',
        candidates: [expect.objectContaining({ verdict: 'other_app' })],
      });
    },
  );

  test.concurrent('a click by domain names no app', async () => {
    const idfa = uuid();
    await click({ app_id: '', d: own('go.acme.example'), idfa });
    expect(await installed({ idfa, app_id: '1234567890' })).toMatchObject({ rule: 'device_click' });
  });

  test.concurrent('the latest of several clicks', async () => {
    const gaid = uuid();
    await click({ gaid, click_time: millis(-3 * HOUR) });
    const latest = await click({ gaid, click_time: millis(-HOUR), c: 'second' });
    await click({ gaid, click_time: millis(-2 * HOUR) });
    expect(await installed({ gaid })).toMatchObject({ touch_id: latest, campaign_display_id: 'second' });
  });

  test.concurrent('a click from the same IP address, up to 24 hours ago', async () => {
    const address = ip();
    const click_id = await click({ ip: address, click_time: millis(-23 * HOUR) });
    expect(await installed({ ip: address })).toMatchObject({
      rule: 'ip_click',
      touch_id: click_id,
      window_seconds: 86_400,
    });
    expect(await installed({ ip: address, time: at(HOUR) })).toMatchObject({
      rule: 'ip_click',
      touch_id: click_id,
    });
  });

  test.concurrent('by IP address user agents must name the same system, where both name one', async () => {
    const address = ip();
    await click({ ip: address, ua: 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X)' });
    expect(await installed({ ip: address, ua: 'Dalvik/2.1.0 (Linux; U; Android 14)' })).toMatchObject({
      rule: 'organic',
      candidates: [expect.objectContaining({ verdict: 'other_os' })],
    });
    expect(await installed({ ip: address, ua: 'okhttp/4' })).toMatchObject({ rule: 'ip_click' });
  });

  const ON_IPAD = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)';
  const ON_LINUX = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko)';
  const IOS_APP = 'Acme/4.2 CFNetwork/1494.0.7 Darwin/23.4.0';
  const ANDROID_APP = 'Dalvik/2.1.0 (Linux; U; Android 13; SM-S911B Build/TP1A.220624.014)';
  test.concurrent.each([
    ['an iPad whose Safari says Macintosh', `${ON_IPAD} Version/17.4.1 Safari/605.1.15`, IOS_APP, 'ip_click'],
    [
      'the same, by an app that says iPad',
      `${ON_IPAD} Version/17.4 Safari/605.1.15`,
      'Acme/1 (iPad; iOS 17.4)',
      'ip_click',
    ],
    ['an iPad whose browser says Mobile', `${ON_IPAD} Mobile/15E148 Safari/604.1`, 'Acme/1 (iOS 17.4.0)', 'ip_click'],
    ['an iPhone, by an app on a Mac', 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X)', ON_IPAD, 'ip_click'],
    ['Android in desktop mode', `${ON_LINUX} Chrome/124.0.0.0 Safari/537.36`, ANDROID_APP, 'ip_click'],
    [
      'Firefox in desktop mode',
      'Mozilla/5.0 (X11; Linux x86_64; rv:125.0) Gecko Firefox/125.0',
      ANDROID_APP,
      'ip_click',
    ],
    ['a Chromebook', 'Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) Chrome/124.0 Safari/537.36', ANDROID_APP, 'ip_click'],
    [
      'UC Browser Mini',
      'UCWEB/2.0 (MIDP-2.0; U; Adr 9.0.0; en-US; SM-J400F) UCBrowser/10.9 Mobile',
      ANDROID_APP,
      'ip_click',
    ],
    [
      'UC Browser on Linux',
      'Mozilla/5.0 (Linux; U; Adr 4.4.2; en-US; SM-J400F) UCBrowser/9.4',
      ANDROID_APP,
      'ip_click',
    ],
    ['an iPad, and an Android app', `${ON_IPAD} Version/17.4.1 Safari/605.1.15`, ANDROID_APP, 'organic'],
    ['Android in desktop mode, and an iOS app', `${ON_LINUX} Chrome/124.0.0.0 Safari/537.36`, IOS_APP, 'organic'],
    ['UC Browser Mini, and an iOS app', 'UCWEB/2.0 (MIDP-2.0; U; Adr 9.0.0; en-US; SM-J400F)', IOS_APP, 'organic'],
    ['Windows', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/124.0 Safari/537.36', ANDROID_APP, 'organic'],
    ['a Windows Phone, which names Android', 'Mozilla/5.0 (Windows Phone 10.0; Android 6.0.1)', ANDROID_APP, 'organic'],
    ['a television on Linux', 'Mozilla/5.0 (SMART-TV; LINUX; Tizen 6.0) TV Safari/537.36', ANDROID_APP, 'organic'],
    ['a phone on KaiOS', 'Mozilla/5.0 (Mobile; Nokia_8110_4G; rv:48.0) KAIOS/2.5', ANDROID_APP, 'organic'],
  ])('by IP address: %s', async (_, clicked, ua, rule) => {
    const address = ip();
    await click({ ip: address, ua: clicked });
    expect(await installed({ ip: address, ua })).toMatchObject({ rule });
  });

  test.concurrent(
    'a click with a device ID of the kind that the install has is not matched by IP address',
    async () => {
      const address = ip();
      await click({ ip: address, gaid: uuid() });
      expect(await installed({ ip: address, gaid: uuid() })).toMatchObject({
        rule: 'organic',
        candidates: [expect.objectContaining({ verdict: 'carries_id' })],
      });
      expect(await installed({ ip: address })).toMatchObject({ rule: 'ip_click' });
    },
  );

  test.concurrent('the click that the install referrer names', async () => {
    const click_id = await click({ ip: ip() });
    expect(await installed({ referrer: `svc_ia_id%3D${click_id}` })).toMatchObject({
      rule: 'referrer',
      touch_id: click_id,
      campaign_display_id: 'AbC123',
    });
  });

  test.concurrent('the referrer goes before a later click of the device', async () => {
    const gaid = uuid();
    const named = await click({ ip: ip(), click_time: millis(-5 * HOUR) });
    await click({ gaid, c: 'second' });
    expect(await installed({ gaid, referrer: `svc_ia_id=${named}` })).toMatchObject({
      rule: 'referrer',
      touch_id: named,
      candidates: [
        expect.objectContaining({ verdict: 'credited' }),
        expect.objectContaining({ verdict: 'lower_rule' }),
      ],
    });
  });

  test.concurrent('an impression with the same gaid, credited once', async () => {
    const gaid = uuid();
    const impression_id = await impression({ gaid });
    expect(await installed({ gaid })).toMatchObject({
      rule: 'device_impression',
      touch_type: 'impression',
      touch_id: impression_id,
      window_seconds: 86_400,
    });
    expect(await installed({ gaid })).toMatchObject({
      rule: 'organic',
      reinstall: 1,
      candidates: [expect.objectContaining({ verdict: 'already_used' })],
    });
  });

  test.concurrent('a click goes before a later impression', async () => {
    const gaid = uuid();
    const click_id = await click({ gaid, click_time: millis(-20 * HOUR) });
    await impression({ gaid });
    expect(await installed({ gaid })).toMatchObject({ rule: 'device_click', touch_id: click_id });
  });

  test.concurrent('the window that the partner asked for can be shorter', async () => {
    const gaid = uuid();
    await impression({ gaid, vt_lookback: '1h', impression_time: millis(-2 * HOUR) });
    expect(await installed({ gaid })).toMatchObject({
      rule: 'organic',
      candidates: [expect.objectContaining({ verdict: 'outside_window' })],
    });
  });

  test.concurrent('a connected-TV impression of the household, for several installs', async () => {
    const address = ip();
    const impression_id = await ctv({ ip: address });
    for (let i = 0; i < 2; i++)
      expect(await installed({ ip: address })).toMatchObject({
        rule: 'ctv_impression',
        touch_type: 'ctv_impression',
        touch_id: impression_id,
      });
    expect(await installed({ ip: address, app_id: 'id1234567890' })).toMatchObject({ rule: 'organic' });
  });

  test.concurrent('attribution in the event goes before everything', async () => {
    const gaid = uuid();
    await click({ gaid });
    const install = await installed({
      gaid,
      attribution: {
        campaign_display_id: 'second',
        touch_type: 'impression',
        touched_at: at(-HOUR),
        ad_set_id: 's1',
        ad_type: 'video',
        publisher_platform: 'facebook',
      },
    });
    expect(install).toMatchObject({
      rule: 'attribution',
      campaign_display_id: 'second',
      touch_type: 'impression',
      touch_id: null,
      ad_set_id: 's1',
      ad_type: 'video',
      publisher_platform: 'facebook',
      candidates: [expect.objectContaining({ verdict: 'lower_rule' })],
    });
  });

  test.concurrent("what the project's own server says of an install counts before what an app says of it", async () => {
    const install_id = `trusted-${uuid()}`;
    // The app's is received first; both are there when the decision is made.
    const [app, server] = [
      collectApp(service, [appEvent('install', { install_id })], { 'app-key': own(APP_KEY) }),
      collectApp(
        service,
        [appEvent('install', { install_id, attribution: { campaign_display_id: 'second', touch_type: 'click' } })],
        { 'service-key': own(SERVER_KEY) },
      ),
    ];
    expect([(await app).accepted, (await server).accepted]).toEqual([1, 1]);
    expect((await decided(service, [install_id])).get(install_id)).toMatchObject({
      rule: 'attribution',
      campaign_display_id: 'second',
    });
    expect(await service.rows(`SELECT 1 FROM analytics.installs WHERE install_id = '${install_id}'`)).toHaveLength(1);
  });

  test.concurrent('attribution to a campaign of a network, which is created where there is none', async () => {
    const attribution = { network: 'META', network_campaign_id: 'm77', network_campaign_name: 'Summer' };
    expect(await installed({ attribution: { ...attribution, network_campaign_id: 'm1' } })).toMatchObject({
      rule: 'attribution',
      campaign_display_id: 'meta1',
    });
    const [first, second] = [await installed({ attribution }), await installed({ attribution })];
    expect(first).toMatchObject({ rule: 'attribution', campaign_name: 'Summer' });
    expect(second.campaign_display_id).toBe(first.campaign_display_id);
    expect(first.campaign_display_id).toMatch(/^[A-Za-z0-9]{10}$/);
  });
});

describe('times', () => {
  test.concurrent(
    'windows are inclusive to the millisecond, and a touch at the time of the install counts',
    async () => {
      const gaid = uuid();
      const clicked = Math.floor(Date.now() / 1000) * 1000 - HOUR;
      await click({ gaid, click_time: String(clicked) });
      const time = (ms: number) => new Date(clicked + ms).toISOString();
      expect(await installed({ gaid, time: time(0) })).toMatchObject({
        rule: 'device_click',
        touch_to_install_ms: 0,
      });
      expect(await installed({ gaid, time: time(-1) })).toMatchObject({
        rule: 'organic',
        candidates: [expect.objectContaining({ verdict: 'later_than_install' })],
      });
    },
  );

  test.concurrent('a touch that is received after the install comes too late', async () => {
    const gaid = uuid();
    const first = await installed({ gaid });
    await click({ gaid, click_time: millis(-HOUR) });
    expect(first).toMatchObject({ rule: 'organic' });
    expect(await service.rows(`SELECT rule FROM analytics.installs WHERE install_id = '${first.install_id}'`)).toEqual([
      { rule: 'organic' },
    ]);
  });

  test.concurrent('a retry without click_time never changes the time of a click', async () => {
    const gaid = uuid();
    const parameters = { gaid, tid: `same-${gaid}` };
    const click_id = await click({ ...parameters, click_time: millis(-5 * HOUR) });
    const later = await click({ gaid, c: 'second', click_time: millis(-HOUR) });
    expect(await click(parameters)).toBe(click_id);
    expect(await installed({ gaid })).toMatchObject({ touch_id: later });
  });

  test.concurrent.each([
    ['9.9 s after the click', -9_900, 1],
    ['10 s after the click', -10_000, 0],
  ])('click injection: %s', async (_, ms, click_injection) => {
    const gaid = uuid();
    const now = Date.now() - 60_000;
    await click({ gaid, click_time: String(now + ms) });
    expect(await installed({ gaid, time: new Date(now).toISOString() })).toMatchObject({
      rule: 'device_click',
      click_injection,
    });
  });

  test.concurrent.each([
    ['2.999 s after the click in the store', 2_999, 1],
    ['3 s after it', 3_000, 0],
  ])('click injection: opened %s', async (_, ms, click_injection) => {
    const time = Date.now() - 60_000;
    expect(
      await installed({
        time: new Date(time).toISOString(),
        referrer_click_time: new Date(time - ms).toISOString(),
      }),
    ).toMatchObject({ rule: 'organic', click_injection });
  });

  // A click after the install tells of two clocks, and of nothing else.
  test.concurrent.each([1, 120_000, 30 * 24 * HOUR])(
    'no click injection: opened %i ms before the click in the store',
    async (ms) => {
      const time = Date.now() - 40 * 24 * HOUR;
      expect(
        await installed({
          time: new Date(time).toISOString(),
          referrer_click_time: new Date(time + ms).toISOString(),
        }),
      ).toMatchObject({ rule: 'organic', click_injection: 0, install_hijacking: 0 });
    },
  );

  test.concurrent.each([
    ['an hour', -HOUR],
    ['a year', -365 * 24 * HOUR],
  ])('the clock of a device that is %s slow loses no click that its referrer names', async (_, ms) => {
    const click_id = await click({ gaid: uuid(), click_time: millis(-60_000) });
    expect(await installed({ time: at(ms), referrer: `svc_ia_id=${click_id}` })).toMatchObject({
      rule: 'referrer',
      touch_id: click_id,
      touch_to_install_ms: null,
      click_injection: 0,
      candidates: [expect.objectContaining({ verdict: 'credited' })],
    });
  });

  test.concurrent('a click after the install that only shares its device ID is not credited', async () => {
    const gaid = uuid();
    await click({ gaid, click_time: millis(-60_000) });
    expect(await installed({ gaid, time: at(-HOUR) })).toMatchObject({
      rule: 'organic',
      candidates: [expect.objectContaining({ verdict: 'later_than_install' })],
    });
  });

  test.concurrent('an earlier click of the device does not win over the one that the referrer names', async () => {
    const gaid = uuid();
    await click({ gaid, click_time: millis(-3 * HOUR), c: 'second' });
    const click_id = await click({ gaid, click_time: millis(-60_000) });
    expect(await installed({ gaid, time: at(-HOUR), referrer: `svc_ia_id=${click_id}` })).toMatchObject({
      rule: 'referrer',
      touch_id: click_id,
      campaign_display_id: 'AbC123',
    });
  });

  test.concurrent('the latest click before the install wins where its clock is right', async () => {
    const gaid = uuid();
    const before = await click({ gaid, click_time: millis(-3 * HOUR) });
    await click({ gaid, click_time: millis(-60_000), c: 'second' });
    expect(await installed({ gaid, time: at(-HOUR) })).toMatchObject({ rule: 'device_click', touch_id: before });
  });

  test.concurrent.each([
    [1, 1],
    [0, 0],
    [-1, 0],
  ])('install hijacking: clicked %d ms after the download had begun', async (ms, install_hijacking) => {
    const began = Date.now() - 60_000;
    expect(
      await installed({
        install_begin_time: new Date(began).toISOString(),
        referrer_click_time: new Date(began + ms).toISOString(),
      }),
    ).toMatchObject({ install_hijacking });
  });
});

describe('reinstalls', () => {
  test.concurrent(
    'an event of the device in the same app within the window makes the next install a reinstall',
    async () => {
      const gaid = uuid();
      expect(await installed({ gaid, time: at(-100 * 24 * HOUR) })).toMatchObject({ reinstall: 0 });
      expect(await installed({ gaid, time: at(-11 * 24 * HOUR) })).toMatchObject({ reinstall: 1 });
      expect(await installed({ gaid, time: at(-10 * 24 * HOUR), app_id: 'id1234567890' })).toMatchObject({
        reinstall: 0,
      });
      expect(await installed({ gaid: uuid(), time: at(-9 * 24 * HOUR) })).toMatchObject({ reinstall: 0 });
    },
  );

  test.concurrent('90 days to the millisecond', async () => {
    const time = Date.now() - 100 * 24 * HOUR;
    const iso = (ms: number) => new Date(time + ms).toISOString();
    const [a, b] = [uuid(), uuid()];
    await installed({ gaid: a, time: iso(0) });
    expect(await installed({ gaid: a, time: iso(90 * 24 * HOUR) })).toMatchObject({ reinstall: 1 });
    await installed({ gaid: b, time: iso(0) });
    expect(await installed({ gaid: b, time: iso(90 * 24 * HOUR + 1) })).toMatchObject({ reinstall: 0 });
  });

  test.concurrent('one whose first install arrives only later stays an install', async () => {
    const gaid = uuid();
    const second = await installed({ gaid, time: at(-HOUR) });
    await installed({ gaid, time: at(-2 * HOUR) });
    expect(
      await service.rows(`SELECT reinstall FROM analytics.installs WHERE install_id = '${second.install_id}'`),
    ).toEqual([{ reinstall: 0 }]);
  });
});

describe('windows and switches are those in force when the decision is made', () => {
  afterEach(() =>
    service.apply(
      document(
        { click_window_days: { default: 7, META: 30 }, ip_click_window_hours: 24, view_window_hours: 24 },
        { partner_switches: SHOP?.partner_switches },
      ),
    ),
  );

  test('0 hours switch the match by IP address off', async () => {
    const address = ip();
    await click({ ip: address });
    await service.apply(document({ ip_click_window_hours: 0 }));
    expect(await installed({ ip: address })).toMatchObject({
      rule: 'organic',
      candidates: [expect.objectContaining({ verdict: 'switched_off' })],
    });
  });

  test('a window of 100,000 days counts as a hundred years', async () => {
    const gaid = uuid();
    const click_id = await click({ gaid, click_time: millis(-HOUR) });
    await service.apply(document({ click_window_days: { default: 100_000 } }));
    expect(await installed({ gaid })).toMatchObject({ touch_id: click_id, window_seconds: 36_500 * 86_400 });
  });

  test('a shorter window of views', async () => {
    const gaid = uuid();
    await impression({ gaid, impression_time: millis(-3 * HOUR) });
    await service.apply(document({ view_window_hours: 2 }));
    expect(await installed({ gaid })).toMatchObject({
      rule: 'organic',
      candidates: [expect.objectContaining({ verdict: 'outside_window' })],
    });
  });

  test("a partner's clicks have the default window, whatever network their campaign names", async () => {
    const gaid = uuid();
    await click({ gaid, c: 'google1', click_time: millis(-23 * HOUR) });
    await service.apply(document({ click_window_days: { default: 0, GOOGLE: 30 } }));
    expect(await installed({ gaid })).toMatchObject({
      rule: 'organic',
      candidates: [expect.objectContaining({ verdict: 'outside_window' })],
    });
  });

  test('view-through that is off by now', async () => {
    const gaid = uuid();
    await impression({ gaid });
    await service.apply(document({}, { partner_switches: [{ partner: 'Mobi Ads', view_through: false }] }));
    expect(await installed({ gaid })).toMatchObject({
      rule: 'organic',
      candidates: [expect.objectContaining({ verdict: 'switched_off' })],
    });
  });
});
