/** What partners see of themselves, and advertisers of their partners (docs/contract/partners.md). */
import { appEvent, collectApp, type Json } from '../../support/collect/collect-client';
import { ownNames } from '../../support/workspace/own-names';
import { report } from '../../support/reports/app-report';
import { idByName, newTid } from '../../support/s2s/s2s-client';
import { eventually } from '../../support/service';
import { sharedService } from '../../support/shared-service';

const service = sharedService();
const own = ownNames('partners');
const KEY = own('key');
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const PUBLIC_IP = '203.0.113.77';

/** The project's time zone: one where it is another day than in UTC, whenever this runs. */
const ZONE =
  new Date().getUTCHours() < 11 ? { name: 'Etc/GMT+12', hours: -12 } : { name: 'Pacific/Kiritimati', hours: 14 };

const on = { s2s_clicks: true, s2s_traffic: true, view_through: true };
const document = own.document({
  accounts: [{ name: 'Acme' }, { name: 'Beta' }, { name: 'Late', billing_status: 'suspended' }],
  partners: [
    { name: 'Mobi Ads', tokens: ['token'] },
    { name: 'Other Ads', tokens: ['other-token'] },
    { name: 'Stranger', tokens: ['stranger'] },
  ],
  projects: [
    {
      name: 'Shop',
      account: 'Acme',
      timezone: ZONE.name,
      server_keys: ['key'],
      apps: [{ platform: 'ANDROID', app_id: 'com.partners.shop' }],
      domains: [{ name: 'go.partners.example', primary: true }],
      partner_switches: [
        { partner: 'Mobi Ads', ...on, ctv_apps: ['com.partners.shop'], view_window_hours: 12 },
        { partner: 'Other Ads', s2s_clicks: true },
      ],
      campaigns: [
        { display_id: 'spring', name: 'Spring sale', partner: 'Mobi Ads' },
        { display_id: 'autumn', name: 'Autumn', partner: 'Mobi Ads', active: false },
        { display_id: 'others', name: 'Others', partner: 'Other Ads' },
      ],
    },
    {
      name: 'Second',
      account: 'Beta',
      timezone: 'UTC',
      server_keys: ['second-key'],
      apps: [{ platform: 'ANDROID', app_id: 'com.partners.second' }],
      campaigns: [{ display_id: 'beta', name: 'Beta SPRING', partner: 'Mobi Ads' }],
    },
    { name: 'Unpaid', account: 'Late', timezone: 'UTC', server_keys: ['unpaid'] },
  ],
});

const gaid = (n: number) => `5a400000-8cf0-11bd-b23e-${String(n).padStart(12, '0')}`;
const day = (daysFromNow: number) => new Date(Date.now() + daysFromNow * DAY_MS).toISOString().slice(0, 10);
const range = () => `from=${day(-1)}&to=${day(1)}`;

async function s2s(path: string, params: Record<string, string>, token = own('token')): Promise<string> {
  const query = new URLSearchParams({ app_id: 'com.partners.shop', c: 'spring', tid: newTid('partners'), ...params });
  const response = await service.request(`/v1/${path}?${query.toString()}`, { headers: { 'X-Service-Token': token } });
  const body = (await response.json()) as { status: string; reason?: string };
  return body.reason ?? body.status;
}

interface Figures extends Json {
  refused: Record<string, number>;
}
interface Traffic extends Json {
  buckets: (Figures & { time: string })[];
  totals: Figures;
}

/** When the events were; the touches were received soon before. */
let at: number;
let partner: number;
let other: number;
let shop: number;
let second: number;
const portal = (path: string, of = partner) => service.admin('GET', `/partners/${of}/${path}`);
const traffic = async (query: string) => (await portal(`traffic?${query}`)).body as Traffic;
const readQuality = (query: string, key = KEY) =>
  service.request(`/api/v1/partner-quality?${query}`, { headers: { 'service-key': key } });
async function quality(query: string): Promise<Json[]> {
  return eventually('the quality of partners', async () => {
    const response = await readQuality(query);
    if (response.status === 503) return undefined;
    expect(response.status).toBe(200);
    return ((await response.json()) as { partners: Json[] }).partners;
  });
}

/** Twelve installs of one address, 2 minutes after their click each; one more 2 hours after; one of another partner. */
beforeAll(async () => {
  await service.apply(document);
  partner = await idByName(service, 'partners', own('Mobi Ads'));
  other = await idByName(service, 'partners', own('Other Ads'));
  shop = await idByName(service, 'projects', own('Shop'));
  second = await idByName(service, 'projects', own('Second'));
  const now = Date.now();
  at = now;
  const clicked = (n: number, ago: number, more = {}, token = own('token')) =>
    s2s('click', { gaid: gaid(n), click_time: String(now - ago), tid: `partners-touch-${n}`, ...more }, token);
  for (let n = 0; n < 12; n++)
    expect(await clicked(n, 2 * MINUTE_MS, { s2: `placement-${n}`, s4: 'four' })).toBe('accepted');
  expect(await clicked(12, 120 * MINUTE_MS)).toBe('accepted');
  expect(await clicked(13, 2 * MINUTE_MS, { c: 'others' }, own('other-token'))).toBe('accepted');
  for (let i = 0; i < 3; i++) expect(await clicked(14, MINUTE_MS, { tid: 'partners-again' })).toBe('accepted');
  expect(await s2s('impression', { gaid: gaid(15) })).toBe('accepted');
  expect(await s2s('ctv/impression', { ip: PUBLIC_IP, ua: 'TV' })).toBe('accepted');
  expect(await s2s('click', { gaid: 'x' })).toBe('invalid_device_id');
  expect(await s2s('click', { gaid: 'x' })).toBe('invalid_device_id');
  expect(await s2s('click', { gaid: gaid(1), c: 'autumn' })).toBe('unknown_campaign');
  expect(await s2s('click', { gaid: gaid(1), app_id: 'com.partners.nobody' })).toBe('unknown_app');
  expect(await s2s('click', { gaid: gaid(1), app_id: 'com.partners.second', c: 'beta' })).toBe('partner_not_enabled');
  expect(await s2s('impression', { gaid: gaid(1), c: 'others' }, own('other-token'))).toBe('partner_not_enabled');
  const time = new Date(now).toISOString();
  const install = (n: number, more: Json = {}) =>
    appEvent('install', { install_id: `partners-${n}`, app_id: 'com.partners.shop', gaid: gaid(n), time, ...more });
  const event = (type: string, n: number) =>
    appEvent(type, { install_id: `partners-${n}`, app_id: 'com.partners.shop', time });
  const { accepted } = await collectApp(
    service,
    [
      ...Array.from({ length: 12 }, (_, n) => install(n, { ip: '8.8.8.8' })),
      install(12, { ip: PUBLIC_IP }),
      install(13),
      install(99),
      ...[0, 1, 13, 99].map((n) => event('signup', n)),
      ...[0, 0].map((n) => event('payment', n)),
      event('event', 2),
    ],
    { 'service-key': KEY },
  );
  expect(accepted).toBe(22);
  await eventually('everything is in the figures', async () => {
    const { totals } = await traffic(range());
    return totals.installs === 13 && totals.events === 1 && totals.repeats === 2 ? true : undefined;
  });
}, 180_000);

describe('the partner itself', () => {
  test('its campaigns over all advertisers, with their switches', async () => {
    const { status, body } = await portal('campaigns');
    expect(status).toBe(200);
    const campaigns = body.campaigns as Json[];
    expect(campaigns.map(({ display_id }) => display_id).sort()).toEqual(['autumn', 'beta', 'spring']);
    expect(campaigns.find(({ display_id }) => display_id === 'spring')).toMatchObject({
      name: 'Spring sale',
      project_id: shop,
      project: own('Shop'),
      account: own('Acme'),
      active: true,
      paused: false,
      switches: { ...on, ctv_apps: ['com.partners.shop'], view_window_hours: 12 },
    });
    expect(campaigns.find(({ display_id }) => display_id === 'beta')).toMatchObject({
      account: own('Beta'),
      switches: { s2s_clicks: false, s2s_traffic: false, view_through: false, ctv_apps: [], view_window_hours: 24 },
    });
  });

  test('pages, and a search in names and IDs that takes nothing for a pattern', async () => {
    const found = async (search: string) => {
      const { body } = await portal(`campaigns?search=${encodeURIComponent(search)}`);
      return [(body.campaigns as Json[]).map(({ display_id }) => display_id).sort(), body.pagination];
    };
    expect(await found('sPRING')).toEqual([['beta', 'spring'], { total: 2, pages: 1, page: 1, limit: 100 }]);
    expect((await found('%'))[0]).toEqual([]);
    expect((await found('autum_'))[0]).toEqual([]);
    const { body } = await portal('campaigns?page=2&limit=2');
    expect(body.campaigns).toHaveLength(1);
    expect(body.pagination).toEqual({ total: 3, pages: 2, page: 2, limit: 2 });
  });

  test('its traffic: each touch once, repeats, refusals by reason, what it is credited with', async () => {
    const { totals, buckets } = await traffic(range());
    expect(totals).toEqual({
      clicks: 14,
      impressions: 1,
      ctv_impressions: 1,
      link_clicks: 0,
      repeats: 2,
      installs: 13,
      reinstalls: 0,
      reengagements: 0,
      signups: 2,
      payments: 2,
      events: 1,
      refused: { invalid_device_id: 2, unknown_campaign: 1, unknown_app: 1, partner_not_enabled: 1 },
    });
    expect(buckets.map(({ time }) => time)).toEqual([-1, 0, 1].map((at) => `${day(at)}T00:00:00.000Z`));
  });

  test('the same by hours, and by project', async () => {
    const hourly = await traffic(`${range()}&granularity=hour`);
    expect(hourly.buckets).toHaveLength(72);
    expect(hourly.totals).toEqual((await traffic(range())).totals);
    const hour = new Date(at - (at % (60 * MINUTE_MS))).toISOString();
    const withEvents = hourly.buckets.filter(({ signups, payments, events }) => signups || payments || events);
    expect(withEvents).toMatchObject([{ time: hour, signups: 2, payments: 2, events: 1 }]);
    expect((await traffic(`${range()}&project_id=${shop}`)).totals.refused).toEqual({
      invalid_device_id: 2,
      unknown_campaign: 1,
    });
    expect((await traffic(`${range()}&project_id=${second}`)).totals).toMatchObject({
      clicks: 0,
      installs: 0,
      refused: { partner_not_enabled: 1 },
    });
    const { status, body } = await portal(`traffic/projects?${range()}`);
    expect(status).toBe(200);
    const byProject = body.projects as ({ project_id: number; project: string; account: string } & Traffic['totals'])[];
    expect(byProject.map(({ project_id }) => project_id)).toEqual([shop, second].sort((a, b) => a - b));
    for (const { project_id, project, account, ...figures } of byProject) {
      expect([typeof project, typeof account]).toEqual(['string', 'string']);
      expect(figures).toEqual((await traffic(`${range()}&project_id=${project_id}`)).totals);
    }
    expect((await portal('traffic/projects?from=2026-01-01&to=2027-01-02')).status).toBe(400);
  });

  test('the same figures by campaign, deleted requests and other partners left out', async () => {
    const { status, body } = await portal(`traffic/campaigns?${range()}`);
    expect(status).toBe(200);
    const campaigns = body.campaigns as Json[];
    expect(campaigns.map(({ display_id }) => display_id)).toEqual(['spring', 'beta']);
    expect(campaigns[0]).toMatchObject({
      name: 'Spring sale',
      project_id: shop,
      project: own('Shop'),
      clicks: 14,
      impressions: 1,
      ctv_impressions: 1,
      repeats: 2,
      installs: 13,
      signups: 2,
      payments: 2,
      events: 1,
      conversion: 92.86,
      refused: { invalid_device_id: 2 },
    });
    expect(campaigns[1]).toMatchObject({ clicks: 0, conversion: null, refused: { partner_not_enabled: 1 } });
    expect(body.total).toBe(2);
    expect((await portal(`traffic/campaigns?${range()}&limit=1`)).body.campaigns).toHaveLength(1);
    const theirs = await portal(`traffic/campaigns?${range()}`, other);
    expect((theirs.body.campaigns as Json[]).map(({ display_id }) => display_id)).toEqual(['others']);
    expect((await portal(`traffic/campaigns?${range()}&project_id=${second}`, other)).status).toBe(404);
  });

  test('its credited installs, without anything of a device or person', async () => {
    const { body } = await portal(`credited?${range()}`);
    const installs = body.installs as Json[];
    expect(installs).toHaveLength(13);
    expect(installs.filter(({ country }) => country === 'US')).toHaveLength(12);
    expect(Object.keys(installs[0] as Json).sort()).toEqual([
      'campaign',
      'country',
      'display_id',
      'install_time',
      'kind',
      'platform',
      'project_id',
      'rule',
      's2',
      's3',
      's4',
      'suspicious',
      'tid',
      'touch_time',
      'touch_type',
    ]);
    expect(installs[0]).toMatchObject({
      kind: 'install',
      project_id: shop,
      display_id: 'spring',
      campaign: 'Spring sale',
      touch_type: 'click',
      rule: 'device_click',
      platform: 'ANDROID',
    });
    expect(JSON.stringify(body)).not.toMatch(/5a400000|partners-\d|8\.8\.8\.8/);
    const one = installs.find(({ tid }) => tid === 'partners-touch-3');
    expect(one).toMatchObject({ s2: 'placement-3', s3: null, s4: 'four' });
    expect(one?.touch_time).toBe(new Date(at - 2 * MINUTE_MS).toISOString());
    expect(new Set(installs.map(({ tid }) => tid)).size).toBe(13);
    expect((await portal(`credited?${range()}&limit=5`)).body.installs).toHaveLength(5);
    expect((await portal(`credited?${range()}&project_id=${second}`)).body.installs).toEqual([]);
    expect((await portal(`credited?${range()}`, other)).body.installs).toHaveLength(1);
  });

  test.each([
    ['traffic', 'to=2026-03-01', 'from: must be a day, written YYYY-MM-DD'],
    ['credited', 'from=2026-01-01&to=2026-01-01&limit=0', 'limit: must be a whole number from 1 to 1000'],
    ['campaigns', 'search=%00', 'search: must be text without NUL characters and lone surrogates'],
    [
      'traffic',
      'from=2026-01-01&to=2026-02-01&granularity=hour',
      'to: the range must have at most 31 days, both included',
    ],
  ])('%s?%s is refused', async (path, query, msg) => {
    expect(await portal(`${path}?${query}`)).toEqual({ status: 400, body: { msg, status: 400 } });
  });

  test('days that no engine knows are legal, and empty', async () => {
    for (const query of ['from=0001-01-01&to=0001-01-02', 'from=9999-12-30&to=9999-12-31']) {
      const { status, body } = await portal(`traffic?${query}`);
      expect([status, (body as Traffic).buckets.length, (body as Traffic).totals.installs]).toEqual([200, 2, 0]);
      expect((await portal(`credited?${query}`)).body.installs).toEqual([]);
    }
  });

  test('who is unknown is 404, and so is a project that the partner has nothing to do with', async () => {
    for (const path of ['campaigns', `traffic?${range()}`, `credited?${range()}`]) {
      expect((await portal(path, 999_999)).status).toBe(404);
      const unauthorized = await service.request(`/admin/v1/partners/${partner}/${path}`);
      expect(unauthorized.status).toBe(401);
    }
    expect((await portal(`traffic?${range()}&project_id=${second}`, other)).body).toEqual({
      msg: 'Project not found.',
      status: 404,
    });
    expect((await portal('campaigns?page=0')).status).toBe(422);
  });
});

describe('what an advertiser sees of its partners', () => {
  test('every partner that works with the project, and no other', async () => {
    const partners = await quality(range());
    expect(partners.map((one) => one.partner)).toEqual([own('Mobi Ads'), own('Other Ads')]);
    expect(partners[0]).toEqual({
      partner_id: partner,
      partner: own('Mobi Ads'),
      clicks: 14,
      impressions: 1,
      ctv_impressions: 1,
      installs: 13,
      conversion_rate: 92.86,
      suspicious: 0,
      suspicious_share: 0,
      repeats: 2,
      refused: { invalid_device_id: 2, unknown_campaign: 1 },
      installs_by_ip: { ips: 2, most: 12, many: 10, ips_with_many: 1 },
      click_to_install: [
        [0, 10, 0],
        [10, 30, 0],
        [30, 60, 0],
        [60, 300, 12],
        [300, 3_600, 0],
        [3_600, 21_600, 1],
        [21_600, 86_400, 0],
        [86_400, 604_800, 0],
        [604_800, null, 0],
      ].map(([from, to, installs]) => ({ from, to, installs })),
    });
    expect(partners[1]).toMatchObject({
      clicks: 1,
      installs: 1,
      conversion_rate: 100,
      refused: { partner_not_enabled: 1 },
    });
    expect(JSON.stringify(partners)).not.toContain('8.8.8.8');
  });

  test('the installs of the app report', async () => {
    const { campaigns } = await eventually('a report', async () => {
      const answer = await report(service, KEY, { search: 'spring' });
      return answer.status === 200 ? answer : undefined;
    });
    expect(String(campaigns[0]?.installs)).toBe('13');
  });

  test('one partner, other days, and a partner without anything', async () => {
    expect((await quality(`${range()}&partner_id=${other}`)).map((one) => one.partner_id)).toEqual([other]);
    const today = new Date(at + ZONE.hours * 60 * MINUTE_MS).toISOString().slice(0, 10);
    expect(await quality(`from=${today}&to=${today}&partner_id=${partner}`)).toMatchObject([
      { clicks: 14, impressions: 1, ctv_impressions: 1, installs: 13 },
    ]);
    expect(await quality(`from=2020-01-01&to=2020-12-31&partner_id=${partner}`)).toMatchObject([
      { clicks: 0, installs: 0, conversion_rate: null, suspicious_share: null, refused: {}, repeats: 0 },
    ]);
  });

  test('refuses what it does not know, without a key, and without billing', async () => {
    const stranger = await idByName(service, 'partners', own('Stranger'));
    const answers = await Promise.all([
      readQuality(`${range()}&partner_id=${stranger}`),
      readQuality('from=2026-01-01'),
      readQuality(`${range()}&partner_id=-1`),
      readQuality('from=2024-01-01&to=2026-01-01'),
      readQuality(range(), 'wrong'),
      readQuality(range(), own('unpaid')),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([404, 400, 400, 400, 401, 402]);
  });
});
