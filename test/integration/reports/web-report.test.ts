/**
 * GET /api/v1/reporting/web-campaigns over HTTP (docs/contract/web-report.md): rules and worked cases. Parameters are
 * in test/unit/reports/web-report-input.test.ts.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { putSpend } from '../../support/reports/app-report';
import { eventually } from '../../support/service';
import { sharedService } from '../../support/shared-service';
import {
  BROWSER,
  collect,
  reportData,
  reportGiven,
  webWorkspace,
  type Json,
  type WebRow,
} from '../../support/collect/web';

// Longer than a report is waited for.
jest.setTimeout(100_000);

const KEY = 'server-key-of-report';
const SERVER = { 'service-key': KEY };
const today = () => new Date(Date.now() + 5.5 * 3_600_000).toISOString().slice(0, 10);
const dayBefore = (days: number) =>
  new Date(Date.now() + 5.5 * 3_600_000 - days * 86_400_000).toISOString().slice(0, 10);

const service = sharedService();
beforeAll(async () => {
  await service.apply(
    webWorkspace('report', {
      created_at: '2025-02-01T00:00:00Z',
      domains: [{ name: 'go.report.example' }],
      campaigns: [
        { display_id: 'spring', name: 'Spring sale' },
        { display_id: 'short', name: 'Short', is_shortlink: true },
        { display_id: 'deep', name: 'Deep', deeplink: 'acme://sale' },
        {
          display_id: 'meta1',
          name: 'Meta one',
          network: 'META',
          network_campaign_id: '777',
          utm_ids: ['meta-a', 'meta-b'],
        },
        { display_id: 'meta2', name: 'Meta two', network: 'META', network_campaign_id: '778' },
        { display_id: 'google1', name: 'Google one', network: 'GOOGLE', network_campaign_id: '900' },
        { display_id: 'google2', name: 'Google two', network: 'GOOGLE', network_campaign_id: '901' },
      ],
    }),
  );
});

let count = 0;
const event = (visitor: string, session: string, time: string, query: string, more: Json = {}): Json => ({
  event_id: `report-${count++}`,
  type: 'page_view',
  time,
  visitor_id: visitor,
  session_id: session,
  url: `https://acme.example/${query}`,
  ua: BROWSER,
  ...more,
});
const named = (name: string, more: Json = {}) => ({ type: 'event', name, ...more });
const send = async (events: readonly Json[], headers: Record<string, string> = SERVER) => {
  expect(await collect(service, headers, events)).toEqual({
    status: 202,
    body: { accepted: events.length, rejected: [] },
  });
};
const row = (rows: readonly WebRow[], id: string | null) => rows.find((one) => one.id === id) as WebRow;

describe('who may', () => {
  test.each([
    ['', 401],
    ['nobody', 401],
    ['web-key-of-report', 401],
  ])('key %j is %i', async (key, status) => {
    expect(await reportGiven(service, key)).toMatchObject({ status, body: { msg: 'Unauthorized access.', status } });
  });

  test('a suspended account is 402 with its payment link, before everything else', async () => {
    const document = webWorkspace('late', { web_campaigns: false });
    await service.apply({
      ...document,
      accounts: [{ name: 'Account late', billing_status: 'suspended', payment_link: 'https://pay.example/late' }],
    });
    expect(await reportGiven(service, 'server-key-of-late', 'group_by=nonsense')).toMatchObject({
      status: 402,
      body: { status: 402, payment_link: 'https://pay.example/late' },
    });
  });

  test('a project without web campaigns is 403, before its parameters', async () => {
    await service.apply(webWorkspace('off', { web_campaigns: false }));
    expect(await reportGiven(service, 'server-key-of-off', 'group_by=nonsense')).toMatchObject({
      status: 403,
      body: { status: 403 },
    });
  });
});

describe('parameters', () => {
  test.each([
    ['group_by=nonsense', 400],
    ['group_by=ad&network=meta&source=google', 400],
    ['limit=101', 422],
    ['to=2020-01-01', 422],
  ])('%s is %i', async (query, status) => {
    const answer = await reportGiven(service, KEY, query);
    expect(answer).toMatchObject({ status, body: { status, msg: expect.stringMatching(/\S/) as string } });
    expect(Object.keys(answer.body).sort()).toEqual(['msg', 'status']);
  });

  test.each([
    'limit=100&page=10000',
    'group_by=ad&network=meta&channel=meta&source=ig',
    'channel=nonsense&source=nobody&unknown=1',
    'search=%25%5F%27%22%5C%00',
    'utm_source=%27%3B%20DROP',
    'sort_field=name&sort_order=ascending',
    ...['page_views', 'sessions', 'signups', 'unique_signup_users', 'purchases', 'revenue'].map(
      (field) => `sort_field=${field}`,
    ),
  ])('%s is legal', async (query) => {
    expect((await reportGiven(service, KEY, query)).status).toBe(200);
  });

  test('the answer names the range with its defaults, in days of Kolkata', async () => {
    expect(await reportData(service, KEY)).toMatchObject({
      from: '2025-02-01',
      to: today(),
      attribution: 'last_touch',
      group_by: 'campaign',
      network: null,
    });
    expect(await reportData(service, KEY, { from: dayBefore(10), to: '2099-01-01' })).toMatchObject({
      from: dayBefore(10),
      to: today(),
    });
    expect(
      await reportData(service, KEY, {
        end_date: '2025-02-03',
        attribution: 'first_touch',
        group_by: 'ad',
        network: 'google',
      }),
    ).toMatchObject({
      from: '2025-02-01',
      to: '2025-02-03',
      attribution: 'first_touch',
      group_by: 'ad',
      network: 'google',
    });
  });
});

describe('a worked case', () => {
  const range = { from: '2025-06-01', to: '2025-06-30' };
  beforeAll(async () => {
    await send([
      // One visitor of two campaigns: last touch changes, first touch stays, direct in between never counts.
      event(
        'v1',
        's1',
        '2025-06-01T10:00:00Z',
        '?utm_source=News&utm_medium=email&utm_id=spring&utm_content=11&utm_term=shoes',
      ),
      event('v1', 's1', '2025-06-01T10:01:00Z', 'form', named('SignUp', { user_id: 'u1' })),
      event('v1', 's2', '2025-06-03T10:00:00Z', ''),
      event('v1', 's3', '2025-06-05T10:00:00Z', '?utm_source=fb&utm_medium=paid&utm_id=meta-a&adset_id=55&ad_id=66'),
      event('v1', 's3', '2025-06-05T10:05:00Z', 'done', named('purchase', { revenue: 0.1 })),
      event('v1', 's4', '2025-06-06T10:00:00Z', '', named('Order_Completed', { revenue: 0.2 })),
      // The Meta campaign by another of its IDs.
      event('v2', 's5', '2025-06-05T10:00:00Z', '?utm_source=ig&utm_medium=paid&utm_id=meta-b&utm_content=67'),
      // The last millisecond of a day in Kolkata and the first of the next.
      event('v3', 's6', '2025-06-10T18:29:59.999Z', '?gclid=x&gad_campaignid=900&utm_id=900'),
      event('v3', 's6', '2025-06-10T18:30:00.000Z', 'second', named('add_to_cart')),
      // Direct only; a UTM campaign without ID; a purchase without revenue; revenue without purchase.
      event('v4', 's7', '2025-06-11T10:00:00Z', ''),
      event('v5', 's8', '2025-06-11T10:00:00Z', '?utm_campaign=Summer', named('purchase')),
      event('v5', 's8', '2025-06-11T10:01:00Z', '', named('tip', { revenue: 1000 })),
    ]);
  });

  test('by campaign, last touch', async () => {
    const { campaigns, totals, pagination } = await reportData(service, KEY, range);
    expect(campaigns.map(({ id }) => id)).toEqual(['777', '900', 'Summer', 'spring', null]);
    expect(row(campaigns, '777')).toEqual({
      id: '777',
      name: 'Meta one',
      channel: null,
      source: 'fb',
      tracking_link: 'https://go.report.example/?c=meta1',
      paused: false,
      merged: true,
      visitors: 2,
      sessions: 3,
      page_views: 2,
      signups: 0,
      unique_signup_users: 0,
      conversion: 0,
      purchases: 2,
      revenue: 0.3,
      spend: null,
      roas: null,
      cost_per_visitor: null,
      custom_events: {},
    });
    expect(row(campaigns, 'spring')).toMatchObject({
      name: 'Spring sale',
      source: 'news',
      merged: false,
      paused: false,
      visitors: 1,
      sessions: 2,
      page_views: 2,
      signups: 1,
      unique_signup_users: 1,
      conversion: 100,
      purchases: 0,
    });
    expect(row(campaigns, '900')).toMatchObject({
      name: 'Google one',
      source: 'google',
      merged: false,
      sessions: 1,
      page_views: 1,
    });
    expect(row(campaigns, 'Summer')).toMatchObject({
      name: 'Summer',
      source: null,
      tracking_link: null,
      purchases: 1,
      revenue: 0,
    });
    expect(row(campaigns, null)).toMatchObject({
      name: '(no campaign ID)',
      channel: null,
      source: null,
      tracking_link: null,
      paused: false,
      merged: false,
      visitors: 1,
    });
    // Visitor v1 is in two rows and once in the totals.
    expect(totals).toEqual({
      visitors: 5,
      sessions: 8,
      page_views: 6,
      signups: 1,
      unique_signup_users: 1,
      conversion: 20,
      purchases: 3,
      revenue: 0.3,
      spend: null,
      roas: null,
      cost_per_visitor: null,
      custom_events: {},
    });
    expect(pagination).toEqual({ total: 5, pages: 1, page: 1, limit: 10, truncated: false });
  });

  test("by campaign, first touch: everything of v1 is the first campaign's", async () => {
    const { campaigns } = await reportData(service, KEY, { ...range, attribution: 'first_touch' });
    expect(row(campaigns, 'spring')).toMatchObject({
      visitors: 1,
      sessions: 4,
      page_views: 3,
      signups: 1,
      purchases: 2,
      revenue: 0.3,
    });
    expect(row(campaigns, '777')).toMatchObject({ visitors: 1, sessions: 1, merged: false });
  });

  test('touches before the range are looked back to', async () => {
    const { campaigns, totals } = await reportData(service, KEY, { from: '2025-06-06', to: '2025-06-06' });
    expect(campaigns).toMatchObject([
      { id: '777', visitors: 1, sessions: 1, page_views: 0, purchases: 1, revenue: 0.2 },
    ]);
    expect(totals).toMatchObject({ visitors: 1 });
  });

  test('days end at midnight in Kolkata, whatever the zone of the project', async () => {
    expect((await reportData(service, KEY, { from: '2025-06-10', to: '2025-06-10' })).totals).toMatchObject({
      visitors: 1,
      sessions: 1,
      page_views: 1,
    });
    expect(
      (await reportData(service, KEY, { from: '2025-06-11', to: '2025-06-11', search: '900', events: 'add_to_cart' }))
        .totals,
    ).toMatchObject({ visitors: 1, sessions: 1, page_views: 0, custom_events: { add_to_cart: { count: 1 } } });
    expect(
      (await reportData(service, KEY, { from: '2025-06-10', to: '2025-06-11', search: '900' })).totals,
    ).toMatchObject({ visitors: 1, sessions: 1, page_views: 1 });
  });

  test.each<[string, Record<string, string>, (string | null)[], string | null]>([
    ['channel', {}, ['meta', 'direct', 'email', 'google', 'other'], null],
    ['source', {}, [null, 'fb', 'google', 'ig', 'news'], '(no source)'],
    ['network_campaign', { network: 'meta' }, ['meta-a', 'meta-b'], null],
    ['network_campaign', { network: 'google' }, ['900'], null],
    ['ad_set', { network: 'meta' }, ['55', null], '(no ad set)'],
    ['ad_set', { network: 'meta', network_campaign_id: 'meta-a' }, ['55'], null],
    ['ad', { network: 'meta' }, ['66', '67'], null],
    ['ad', { network: 'meta', ad_set_id: '55' }, ['66'], null],
    ['ad', { network: 'google' }, [null], '(no ad)'],
  ])('by %s %j the rows are %j', async (group_by, more, ids, noKey) => {
    const { campaigns } = await reportData(service, KEY, { ...range, group_by, ...more });
    expect(campaigns.map(({ id }) => id)).toEqual(ids);
    for (const one of campaigns)
      expect(one).toMatchObject({
        paused: null,
        merged: null,
        source: null,
        channel: group_by === 'channel' ? one.id : (more.network ?? null),
      });
    if (noKey) expect(row(campaigns, null).name).toBe(noKey);
  });

  test.each<[Record<string, string>, (string | null)[]]>([
    [{ channel: 'email' }, ['spring']],
    [{ channel: 'direct' }, [null]],
    [{ source: 'ig' }, ['777']],
    [{ utm_source: 'News' }, ['spring']],
    [{ utm_source: 'news' }, []],
    [{ utm_medium: 'paid' }, ['777']],
    [{ utm_campaign: 'Summer' }, ['Summer']],
    [{ utm_id: 'meta-b' }, ['777']],
    [{ utm_content: '11' }, ['spring']],
    [{ utm_term: 'shoes' }, ['spring']],
    [{ search: 'SUM' }, ['Summer']],
    [{ search: '7' }, ['777']],
    [{ search: '%' }, []],
    [{ search: 'no campaign' }, []],
  ])('filter %j keeps %j', async (filter, ids) => {
    const { campaigns, pagination } = await reportData(service, KEY, { ...range, ...filter });
    expect(campaigns.map(({ id }) => id)).toEqual(ids);
    expect(pagination.total).toBe(ids.length);
  });

  test('events are counted by their exact names, 0 where there are none', async () => {
    const { campaigns, totals } = await reportData(service, KEY, {
      ...range,
      events: 'add_to_cart, purchase,Purchase,never,__proto__',
    });
    expect(row(campaigns, '900').custom_events).toEqual(
      JSON.parse(
        '{"add_to_cart":{"count":1},"purchase":{"count":0},"Purchase":{"count":0},"never":{"count":0},' +
          '"__proto__":{"count":0}}',
      ),
    );
    expect((totals.custom_events as Record<string, Json>).purchase).toEqual({ count: 2 });
  });

  test('pages never overlap, whichever way they are sorted, and totals are those of all rows', async () => {
    for (const sort_order of ['ascending', 'descending']) {
      for (const sort_field of ['visitors', 'signups', 'name']) {
        const pages = await Promise.all(
          [1, 2, 3, 4].map((page) =>
            reportData(service, KEY, { ...range, sort_field, sort_order, page: String(page), limit: '2' }),
          ),
        );
        expect(pages.flatMap(({ campaigns }) => campaigns.map(({ id }) => id)).sort()).toEqual(
          ['777', '900', 'Summer', 'spring', null].sort(),
        );
        for (const { totals, pagination } of pages)
          expect([totals.visitors, pagination.total, pagination.pages]).toEqual([5, 5, 3]);
      }
    }
    const byName = await reportData(service, KEY, { ...range, sort_field: 'name', sort_order: 'ascending' });
    expect(byName.campaigns.map(({ name }) => name)).toEqual([
      '(no campaign ID)',
      'Google one',
      'Meta one',
      'Spring sale',
      'Summer',
    ]);
  });
});

test('late and repeated events are put right', async () => {
  const range = { from: '2025-07-01', to: '2025-07-31', search: 'late' };
  const later = event(
    'late',
    's2',
    '2025-07-02T00:00:00Z',
    '?utm_id=late-2&utm_source=x&utm_medium=email',
    named('signup'),
  );
  await send([later, later]);
  expect((await reportData(service, KEY, { ...range, attribution: 'first_touch' })).campaigns).toMatchObject([
    { id: 'late-2', visitors: 1, signups: 1 },
  ]);
  await send([
    event('late', 's1', '2025-07-01T00:00:00Z', '?utm_id=late-1&utm_source=x&utm_medium=email'),
    later,
    { ...later, visitor_id: 'another' },
  ]);
  expect((await reportData(service, KEY, { ...range, attribution: 'first_touch' })).campaigns).toMatchObject([
    { id: 'late-1', visitors: 1, sessions: 2, signups: 1 },
  ]);
  expect((await reportData(service, KEY, range)).campaigns).toMatchObject([
    { id: 'late-1', sessions: 1 },
    { id: 'late-2', sessions: 1, signups: 1 },
  ]);
});

test('a page that is opened with c of a campaign is credited to it, as with utm_id', async () => {
  await send([
    event('deep', 's1', '2025-04-02T00:00:00Z', 'product/1?c=meta2'),
    event('deep', 's1', '2025-04-02T00:01:00Z', '', named('signup')),
    event('shopper', 's1', '2025-04-02T00:00:00Z', 'list?c=shoes'),
    event('named', 's1', '2025-04-02T00:00:00Z', 'list?c=meta2&utm_id=april'),
  ]);
  const range = { from: '2025-04-01', to: '2025-04-30' };
  const { campaigns } = await reportData(service, KEY, range);
  expect(campaigns).toHaveLength(3);
  expect(row(campaigns, '778')).toMatchObject({ visitors: 1, signups: 1, page_views: 1 });
  expect(row(campaigns, 'april')).toMatchObject({ visitors: 1 });
  expect(row(campaigns, null)).toMatchObject({ visitors: 1 });
});

test('a paused campaign stops counting when it is paused, and goes on when it is not', async () => {
  const projectId = Number(
    ((await service.admin('GET', '/projects')).body.projects as { id: number; name: string }[]).find(
      ({ name }) => name === 'Project report',
    )?.id,
  );
  const now = () => new Date().toISOString();
  const landing = '?utm_id=short&utm_source=x&utm_medium=email';
  await send([event('p1', 's1', now(), landing)]);
  await sleep(20);
  expect((await service.admin('POST', `/projects/${projectId}/campaigns/short/pause`)).status).toBeLessThan(300);
  await sleep(20);
  await send([event('p1', 's1', now(), 'more'), event('p2', 's2', now(), landing)]);
  const paused = await reportData(service, KEY, { search: 'short' });
  expect(paused.campaigns).toMatchObject([
    { id: 'short', paused: true, visitors: 1, page_views: 1, tracking_link: 'https://go.report.example/?c=short' },
  ]);
  expect(paused.totals).toMatchObject({ visitors: 1, page_views: 1 });
  await sleep(20);
  await service.admin('POST', `/projects/${projectId}/campaigns/short/unpause`);
  await sleep(20);
  await send([event('p2', 's2', now(), 'again')]);
  expect((await reportData(service, KEY, { search: 'short' })).campaigns).toMatchObject([
    { id: 'short', paused: false, visitors: 2, page_views: 2 },
  ]);
});

test("Google's synced campaigns are listed without visitors too", async () => {
  const { campaigns, pagination, totals } = await reportData(service, KEY, {
    channel: 'google',
    from: '2025-06-01',
    to: '2025-06-30',
  });
  expect(campaigns.map(({ id, visitors }) => [id, visitors])).toEqual([
    ['900', 1],
    ['901', 0],
  ]);
  expect(pagination).toMatchObject({ total: 2, truncated: false });
  expect(totals).toMatchObject({ visitors: 1 });
  expect((await reportData(service, KEY, { channel: 'google', search: '901' })).campaigns.map(({ id }) => id)).toEqual([
    '901',
  ]);
  expect((await reportData(service, KEY, { channel: 'google', utm_source: 'x' })).campaigns).toEqual([]);
});

test('beyond 1,000 of them the rest is omitted, and truncated says so', async () => {
  await service.apply(
    webWorkspace('many', {
      campaigns: Array.from({ length: 1_001 }, (_, i) => ({
        display_id: `g${i}`,
        name: `G ${i}`,
        network: 'GOOGLE',
        network_campaign_id: String(10_000 + i),
      })),
    }),
  );
  // Without any spend the smallest IDs are listed; visits of the one left out stay in the totals.
  await collect(service, { 'service-key': 'server-key-of-many' }, [
    event('m1', 's1', new Date().toISOString(), '?gclid=1&utm_id=11000'),
    event('m2', 's1', new Date().toISOString(), '?gclid=1&utm_id=10000'),
  ]);
  const { campaigns, pagination, totals } = await reportData(service, 'server-key-of-many', {
    channel: 'google',
    limit: '100',
  });
  expect(pagination).toEqual({ total: 1_000, pages: 10, page: 1, limit: 100, truncated: true });
  expect(campaigns[0]).toMatchObject({ id: '10000', visitors: 1 });
  expect(totals).toMatchObject({ visitors: 2 });
  expect(
    (await reportData(service, 'server-key-of-many', { channel: 'google', limit: '100', page: '10' })).campaigns.map(
      ({ id }) => id,
    ),
  ).not.toContain('11000');
});

describe('spend', () => {
  const key = 'server-key-of-spent';
  const range = { from: '2026-03-01', to: '2026-03-31' };
  const row = (date: string, campaign_id: string, spend: number, more: Json = {}) => ({
    date,
    network: 'META',
    account: 'act',
    campaign_id,
    impressions: 1000,
    clicks: 10,
    spend,
    currency: 'USD',
    ...more,
  });
  const google = { network: 'GOOGLE', account: '123' };
  const readMoney = async (query: Record<string, string>) => {
    const { campaigns, totals } = await reportData(service, key, { ...range, ...query });
    return {
      rows: Object.fromEntries(
        campaigns.map(({ id, spend, roas, cost_per_visitor }) => [id ?? '', [spend, roas, cost_per_visitor]]),
      ),
      total: [totals.spend, totals.roas, totals.cost_per_visitor],
    };
  };
  beforeAll(async () => {
    await service.apply(
      webWorkspace('spent', {
        network_accounts: [
          { network: 'META', external_customer_id: 'act' },
          { network: 'GOOGLE', external_customer_id: '123' },
        ],
        campaigns: [
          {
            display_id: 'sp-meta',
            name: 'Meta',
            network: 'META',
            network_campaign_id: '770',
            utm_ids: ['sp-a', 'sp-b'],
          },
          { display_id: 'sp-google', name: 'Google', network: 'GOOGLE', network_campaign_id: '950' },
          { display_id: 'sp-unseen', name: 'Never visited', network: 'GOOGLE', network_campaign_id: '951' },
          { display_id: 'sp-mail', name: 'Mail' },
        ],
      }),
    );
    const purchase = { type: 'event', name: 'purchase' };
    await collect(service, { 'service-key': key }, [
      event('a', '1', '2026-03-02T10:00:00Z', '?utm_source=fb&utm_medium=paid&utm_id=sp-a'),
      event('a', '1', '2026-03-02T10:01:00Z', '', { ...purchase, revenue: 400 }),
      event('b', '1', '2026-03-02T10:00:00Z', '?utm_source=ig&utm_medium=paid&utm_id=sp-b&ad_set_id=5'),
      event('c', '1', '2026-03-02T10:00:00Z', '?utm_source=fb&utm_medium=paid&utm_id=770'),
      event('d', '1', '2026-03-03T10:00:00Z', '?gclid=x&utm_id=950'),
      event('e', '1', '2026-03-03T10:00:00Z', '?utm_source=news&utm_medium=email&utm_id=sp-mail'),
      event('f', '1', '2026-03-03T10:00:00Z', ''),
    ]);
    const answer = await putSpend(service, key, [
      row('2026-03-01', '770', 100.5),
      row('2026-03-31', '770', 50.255),
      row('2026-02-28', '770', 7000),
      row('2026-04-01', '770', 7000),
      // The campaign's own row does not count beside those of its ad sets; with a partner nothing is matched.
      row('2026-03-01', '950', 999, google),
      row('2026-03-01', '950', 30, { ...google, ad_set_id: 's1' }),
      row('2026-03-01', '950', 40.5, { ...google, ad_set_id: 's2' }),
      row('2026-03-01', '951', 5.55, google),
      row('2026-03-01', 'sp-mail', 60, { network: '', account: '' }),
    ]);
    expect(answer).toEqual({ accepted: 9, rejected: [] });
    // Replaced by what is sent last.
    expect(await putSpend(service, key, [row('2026-03-31', '770', 50.25)])).toEqual({ accepted: 1, rejected: [] });
  });

  test('is matched by the IDs of the campaign at its network; the total has campaigns without a row too', async () => {
    // 150.75 for three visitors and 400 of revenue, 70.5 for one; in total 226.8 for six.
    expect(await readMoney({ group_by: 'campaign' })).toEqual({
      rows: {
        770: [150.75, 2.6534, 50.25],
        950: [70.5, 0, 70.5],
        'sp-mail': [null, null, null],
        '': [null, null, null],
      },
      total: [226.8, 1.7637, 37.8],
    });
    expect(await readMoney({ group_by: 'campaign', from: '2026-03-02', to: '2026-03-30' })).toMatchObject({
      rows: { 770: [null, null, null] },
      total: [null, null, null],
    });
  });

  test('is summed for the channels of Meta and Google', async () => {
    expect(await readMoney({ group_by: 'channel' })).toEqual({
      rows: {
        meta: [150.75, 2.6534, 50.25],
        google: [76.05, 0, 76.05],
        email: [null, null, null],
        direct: [null, null, null],
      },
      total: [226.8, 1.7637, 37.8],
    });
  });

  test.each<[Record<string, string>, Json, (number | null)[]]>([
    [{ group_by: 'campaign', channel: 'google' }, { 950: [70.5, 0, 70.5], 951: [5.55, 0, null] }, [76.05, 0, 76.05]],
    [{ group_by: 'campaign', channel: 'meta' }, { 770: [150.75, 2.6534, 50.25] }, [150.75, 2.6534, 50.25]],
    [{ group_by: 'campaign', channel: 'email' }, { 'sp-mail': [null, null, null] }, [null, null, null]],
    [{ group_by: 'campaign', search: '77' }, { 770: [150.75, 2.6534, 50.25] }, [150.75, 2.6534, 50.25]],
    [{ group_by: 'network_campaign', network: 'google' }, { 950: [70.5, 0, 70.5] }, [76.05, 0, 76.05]],
  ])('%p', async (query, rows, total) => {
    expect(await readMoney(query)).toEqual({ rows, total });
  });

  test.each<Record<string, string>>([
    { group_by: 'source' },
    { group_by: 'campaign', source: 'fb' },
    { group_by: 'campaign', utm_medium: 'paid' },
    { group_by: 'channel', utm_source: 'fb' },
  ])('is nowhere with %p', async (query) => {
    const { rows, total } = await readMoney(query);
    expect(Object.keys(rows).length).toBeGreaterThan(0);
    for (const money of [...Object.values(rows), total]) expect(money).toEqual([null, null, null]);
  });

  test('in two currencies is no sum, of a campaign, a channel or all', async () => {
    await putSpend(service, key, [row('2026-03-04', '951', 1, { ...google, currency: 'EUR' })]);
    expect(await readMoney({ group_by: 'channel' })).toMatchObject({
      rows: { meta: [150.75, 2.6534, 50.25], google: [null, null, null] },
      total: [null, null, null],
    });
    expect(await readMoney({ group_by: 'campaign', channel: 'google' })).toEqual({
      rows: { 950: [70.5, 0, 70.5], 951: [null, null, null] },
      total: [null, null, null],
    });
  });
});

test('a change of a campaign shows in the next report', async () => {
  await send([event('renamed', 's', '2025-08-01T00:00:00Z', '?utm_id=deep')]);
  const range = { from: '2025-08-01', to: '2025-08-01' };
  expect((await reportData(service, KEY, range)).campaigns).toMatchObject([
    { id: 'deep', name: 'Deep', tracking_link: 'acme://sale?c=deep' },
  ]);
  await service.request('/api/v1/campaigns/deep', { method: 'PATCH', headers: SERVER, body: '{"name":"Deeper"}' });
  expect((await reportData(service, KEY, range)).campaigns).toMatchObject([{ name: 'Deeper' }]);
  await service.request('/api/v1/campaigns/deep', { method: 'DELETE', headers: SERVER });
  expect((await reportData(service, KEY, range)).campaigns).toMatchObject([
    { id: 'deep', name: 'deep', tracking_link: null },
  ]);
});

test('the loop derives by itself, within seconds', async () => {
  await send([event('loop', 's', '2025-09-01T00:00:00Z', '')]);
  await eventually('the visitor is derived', async () =>
    (await service.rows("SELECT visitor_id FROM adtrail.web_visitors FINAL WHERE visitor_id = 'loop'")).length === 1
      ? true
      : undefined,
  );
});
