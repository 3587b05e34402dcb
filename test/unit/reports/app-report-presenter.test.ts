/** Rows of app reports: how numbers are written, and which fields there are in which view. */
import {
  adRow,
  adSetRow,
  campaignRow,
  isNetworks,
  keywordRow,
  networkCode,
  listPlatforms,
} from '../../../src/app-report/presenter';
import type { Shaping } from '../../../src/app-report/presenter';
import type { CampaignRow } from '../../../src/app-report/queries';
import type { Figures } from '../../../src/app-report/figures';
import { readFigures, money } from '../../support/reports/figures';

const campaign: CampaignRow = {
  id: 7,
  display_id: 'AbC123',
  name: 'Summer',
  active: true,
  created_at: new Date('2025-06-01T00:00:00Z'),
  network: null,
  network_campaign_id: null,
  network_account_id: null,
  web_to_app: false,
  deeplink: null,
  is_shortlink: false,
  partner: 'Mobi Ads',
  domain_id: 3,
  domain: 'go.acme.example',
  ios_listing: null,
  android_listing: null,
};
const shaping: Shaping = {
  view: 'user_acquisition',
  currency: 'USD',
  columns: { events: [], payments: [], unique: [] },
  costs: new Set(),
  hasDateFilter: false,
};
const BOTH = { ios: true, android: true };
const readRow = (figures: Partial<Figures>, more: Partial<Shaping> = {}, of: Partial<CampaignRow> = {}) =>
  campaignRow({ ...campaign, ...of }, readFigures(figures), undefined, BOTH, [], { ...shaping, ...more });

test('a campaign of which nothing is known has zeros, and nothing that is a share of nothing', () => {
  const row = readRow({});
  expect(row).toMatchObject({
    id: 7,
    link: 'https://go.acme.example/?c=AbC123',
    created_at: '2025-06-01T00:00:00.000Z',
    clicks: '0',
    installs: '0',
    'sign-ups': '0',
    conversion: '0.00%',
    revenue: '$0.00',
    spend: '$0.00',
    revenue_event_count: '0',
    retention: { d1: '-', d7: '-', d14: '-', d30: '-' },
    rolling_retention: { d1: '-', d7: '-' },
    classic_retention: { d1: '-', d7: '-', d14: '-', d30: '-' },
    daywise_revenue: { d0: '-', d3: '-', d7: '-', d30: '-' },
    custom_events: {},
    payment_events: {},
    ad_network_code: 'mobi_ads',
    domain: { id: 3, name: 'go.acme.example' },
    custom_store_listing: null,
    network_account: null,
    has_date_filter: false,
  });
  for (const name of ['roas', 'cost_per_install', 'cost_per_signup', 'reinstalls', 'cost_per_reinstall', 'adSets'])
    expect(row).not.toHaveProperty(name);
});

test('numbers have separators, and are rounded half up once', () => {
  const counts = { installs: 1234, signups: 7, uninstalls: 1_000_000 };
  const row = readRow({ counts, spend: money('12.34'), revenue: money('0.005'), payments: 4321 });
  expect(row).toMatchObject({
    installs: '1,234',
    uninstalls: '1,000,000',
    conversion: '0.57%',
    revenue: '$0.01',
    spend: '$12.34',
    revenue_event_count: '4,321',
    roas: '0.00',
    cost_per_install: '$0.01',
    cost_per_signup: '$1.76',
  });
});

test('the view decides what starts are', () => {
  const counts = { installs: 5, reinstalls: 3, reengagements: 1, signups: 2 };
  expect(readRow({ counts, spend: money('9') })).toMatchObject({
    installs: '5',
    conversion: '40.00%',
    cost_per_install: '$1.80',
  });
  const row = readRow({ counts, spend: money('9') }, { view: 'retargeting' });
  expect(row).toMatchObject({
    installs: '0',
    reinstalls: '3',
    reengagements: '1',
    conversion: '50.00%',
    cost_per_reinstall: '$3.00',
  });
  expect(row).not.toHaveProperty('cost_per_install');
});

test('retention is a share of those whose day is over', () => {
  const counts = {
    ended_d1: 3,
    retention_of_d1: 2,
    rolling_retention_of_d1: 3,
    classic_retention_of_d1: 1,
    ended_d7: 8,
    ended_d0: 3,
  };
  expect(readRow({ counts, cohortRevenue: ['1.5', '0', '0', '0'].map(money) })).toMatchObject({
    retention: { d1: 66.67, d7: 0, d14: '-', d30: '-' },
    rolling_retention: { d1: 100, d7: 0 },
    classic_retention: { d1: 33.33, d7: 0, d14: '-', d30: '-' },
    daywise_revenue: { d0: '$1.50', d3: '-', d7: '$0.00', d30: '-' },
  });
});

test('event columns are there under any name, with a cost where somebody paid for something', () => {
  const columns = { events: ['level', '__proto__', 'never'], payments: ['SUB', 'NONE'], unique: [] };
  const row = readRow(
    {
      spend: money('10'),
      events: new Map([
        ['level', { count: 4, amount: money('2.5') }],
        ['__proto__', { count: 3, amount: undefined }],
      ]),
      paymentTypes: new Map([['SUB', { count: 3, total: money('29.97') }]]),
    },
    { columns, costs: new Set(['level', 'never', 'SUB', '__proto__']) },
  );
  expect(Object.entries(row.custom_events as object)).toEqual([
    ['level', { count: '4', amount: '$2.50' }],
    ['__proto__', { count: '3' }],
    ['never', { count: '0' }],
  ]);
  expect(row.payment_events).toEqual({ SUB: { count: '3', total: '$29.97' }, NONE: { count: '0', total: '$0.00' } });
  expect(Object.entries(row.cost_per_custom_events as object)).toEqual([
    ['level', '$2.50'],
    ['__proto__', '$3.33'],
  ]);
  expect(row.cost_per_payment_events).toEqual({ SUB: '$3.33' });
});

describe("an ad network's campaign", () => {
  const network = { network: 'META', network_campaign_id: '1', partner: null };
  const figures = {
    tracked: { clicks: 2, recent: 1 },
    reported: { clicks: 9, recent: 4 },
    counts: { recent_starts: 2 },
  };

  test('has the clicks that the network counted', () =>
    expect(readRow(figures, {}, network)).toMatchObject({
      clicks: '9',
      activity_in_last_x_days: 6,
      meta: true,
      meta_web_to_app: false,
      ad_network_code: 'meta',
    }));

  test('that leads to the web has those of its links', () =>
    expect(readRow(figures, {}, { ...network, web_to_app: true })).toMatchObject({
      clicks: '2',
      activity_in_last_x_days: 3,
      meta_web_to_app: true,
    }));

  test('is one only with an ID of the network', () => {
    expect(isNetworks({ ...campaign, ...network })).toBe(true);
    expect(isNetworks({ ...campaign, ...network, network_campaign_id: null })).toBe(false);
    expect(isNetworks(campaign)).toBe(false);
  });
});

test('the account of a network has empty texts for what is unknown, and no account name', () => {
  const account = {
    id: 5,
    name: null,
    email: null,
    status: 'active',
    capi_configured: false,
    account_name: null,
    external_customer_id: 'act_1',
  };
  expect(campaignRow(campaign, readFigures(), account, BOTH, [], shaping).network_account).toEqual({
    id: 5,
    name: '',
    email: '',
    status: 'active',
    capi_configured: false,
    external_customer_id: 'act_1',
  });
});

test('platforms are those of the store listings, else of the apps', () => {
  const apps = { ios: false, android: true };
  expect(listPlatforms(campaign, apps)).toEqual(apps);
  expect(listPlatforms({ ...campaign, ios_listing: 'x' }, apps)).toEqual({ ios: true, android: false });
  expect(listPlatforms({ ...campaign, ios_listing: 'x', android_listing: 'y' }, apps)).toEqual(BOTH);
});

test('a campaign without network and partner has no code', () => {
  expect(networkCode({ ...campaign, partner: null })).toBeUndefined();
  expect(networkCode({ ...campaign, network: 'GOOGLE' })).toBe('google');
  expect(networkCode({ ...campaign, partner: 'Big Bad Wolf' })).toBe('big_bad_wolf');
});

test('the levels below: names, and the lists that are not empty', () => {
  const names = { adSet: 'Set', ad: 'Ad', adType: 'video', keyword: 'Word' };
  const figures = readFigures({ ad_set: 's1', ad: 'a1', keyword: 'k1', names, counts: { suspicious: 2 } });
  const ad = adRow(figures, campaign, shaping);
  const keyword = keywordRow(figures, campaign, shaping);
  expect(ad).toMatchObject({ id: 'a1', name: 'Ad', type: 'video', deeplink: 0, installs: '0' });
  expect(adRow(figures, { ...campaign, deeplink: 'acme://x' }, shaping).deeplink).toBe(7);
  expect(keyword).toMatchObject({ id: 'k1', name: 'Word', suspicious_installs: '2' });
  const adSet = adSetRow(figures, campaign, BOTH, { ads: [ad], keywords: [] }, shaping);
  expect(adSet).toMatchObject({ id: 's1', name: 'Set', ios: true, android: true, adCreatives: [ad] });
  expect(adSet).not.toHaveProperty('keywords');
});
