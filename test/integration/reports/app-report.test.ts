/**
 * `GET /api/v1/reporting/campaigns` (docs/contract/app-report.md): guards, parameters, rows, retention, and real
 * spend.
 */
import { decided, postEvents, putSpend, report, type ReportAnswer } from '../../support/reports/app-report';
import type { Json } from '../../support/collect/collect-client';
import { ownNames } from '../../support/workspace/own-names';
import { idByName } from '../../support/s2s/s2s-client';
import { eventually } from '../../support/service';
import { sharedService } from '../../support/shared-service';
import { readCsv, testWithData } from '../../support/shared-data';

const DAY = 86_400_000;
const project = (name: string, more: Json = {}) => ({
  name,
  account: 'Acme',
  timezone: 'Asia/Kolkata',
  server_keys: [name],
  domains: [{ name: `go.${name}.example` }],
  apps: [
    { platform: 'ANDROID', app_id: `com.${name}` },
    { platform: 'IOS', app_id: `id${name.length}` },
  ],
  ...more,
});
const own = ownNames('app-report');
const service = sharedService();
beforeAll(async () => {
  await service.apply(
    own.document({
      accounts: [{ name: 'Acme' }, { name: 'Late', billing_status: 'suspended', payment_link: 'https://pay.example' }],
      partners: [{ name: 'Mobi Ads', tokens: ['token'] }],
      projects: [
        project('retained', { campaigns: [{ display_id: 'kept', name: 'Kept' }] }),
        project('real', {
          network_accounts: [
            {
              network: 'META',
              external_customer_id: 'act_1',
              name: 'Meta',
              email: 'ads@acme.example',
              capi_configured: true,
            },
          ],
        }),
        project('money', { currency: 'GBP', campaigns: [{ display_id: 'eur', name: 'Euro' }] }),
        project('lists', {
          network_accounts: [{ network: 'META', external_customer_id: 'act_2' }],
          store_listings: [
            { store_listing_id: 'play', name: 'Play', platform: 'ANDROID', url: 'https://play.example' },
          ],
          campaigns: [
            {
              display_id: 'l1',
              name: 'Summer 100%',
              partner: 'Mobi Ads',
              deeplink: 'acme://sale',
              created_at: '2025-01-01T00:00:00Z',
            },
            {
              display_id: 'l2',
              name: 'Winter',
              network: 'META',
              network_campaign_id: '77',
              network_account: 'act_2',
              created_at: '2025-01-02T00:00:00Z',
              active: false,
            },
            { display_id: 'l3', name: 'winter sport', store_listings: ['play'], created_at: '2025-01-03T00:00:00Z' },
          ],
        }),
        { ...project('late'), account: 'Late' },
        project('other', { campaigns: [{ display_id: 'o1', name: 'Other' }] }),
        project('twin', { campaigns: [{ display_id: 't1', name: 'Twin' }] }),
        project('repeat', {
          campaigns: [
            { display_id: 'first', name: 'First' },
            { display_id: 'later', name: 'Later' },
          ],
        }),
        project('namesake', { campaigns: [{ display_id: 'n1', name: 'Namesake' }] }),
      ],
    }),
  );
});

const readRow = (answer: ReportAnswer, displayId: string) =>
  answer.campaigns.find((row) => row.display_id === displayId) as Json;
/** Asks until what is derived is fresh. */
const until = (key: string, query: Record<string, string>, isReady: (answer: ReportAnswer) => boolean) =>
  eventually(
    `report of ${key}`,
    async () => {
      const answer = await report(service, key, query);
      return answer.status !== 200 || isReady(answer) ? answer : undefined;
    },
    40_000,
  );

test('the worked case of retention: five installs of one day', async () => {
  const start = Date.UTC(2025, 5, 1, 6);
  const active = [[1, 2, 3, 5, 7, 9], [1, 4, 10], [1, 2], [3], []];
  const event = (type: string, i: number, day: number, more: Json = {}) => ({
    event_id: `r-${type}-${i}-${day}`,
    type,
    install_id: `r${i}`,
    app_id: 'com.retained',
    time: new Date(start + day * DAY).toISOString(),
    ...more,
  });
  await postEvents(
    service,
    own('retained'),
    active.flatMap((days, i) => [
      ...days.map((day) => event('open', i, day)),
      event('uninstall', i, 8),
      event('install', i, 0, { attribution: { campaign_display_id: 'kept', touch_type: 'click' } }),
    ]),
  );
  await decided(service, await idByName(service, 'projects', own('retained')), 5);
  const row = readRow(
    await until(
      own('retained'),
      {},
      (answer) => readRow(answer, 'kept')?.installs === '5' && readRow(answer, 'kept')?.uninstalls === '5',
    ),
    'kept',
  );
  expect({ retention: row.retention, classic: row.classic_retention, rolling: row.rolling_retention }).toEqual({
    retention: { d1: 60, d7: 80, d14: 80, d30: 80 },
    classic: { d1: 60, d7: 20, d14: 0, d30: 0 },
    rolling: { d1: 80, d7: 40 },
  });
});

testWithData('kag-ads.csv')(
  'real ads: the report equals sums computed from the file, to the cent',
  async () => {
    const ads: Record<string, string>[] = readCsv('kag-ads.csv');
    const readDay = (ad: Record<string, string>) => (ad.Date as string).split('-').reverse().join('-');
    const answer = await putSpend(
      service,
      own('real'),
      ads.map((ad) => ({
        date: readDay(ad),
        network: 'META',
        account: 'act_1',
        campaign_id: ad.xyz_campaign_id,
        ad_set_id: ad.fb_campaign_id,
        ad_id: ad.ad_id,
        impressions: ad.Impressions,
        clicks: ad.Clicks,
        spend: ad.Spent,
        currency: 'USD',
      })),
    );
    expect(answer).toEqual({ accepted: ads.length, rejected: [] });
    const events = ads.flatMap((ad): Json[] => {
      const base = { app_id: 'com.real', install_id: `ad-${ad.ad_id}`, time: `${readDay(ad)}T06:00:00Z` };
      const attribution = {
        network: 'META',
        network_campaign_id: ad.xyz_campaign_id,
        touch_type: 'click',
        ad_set_id: ad.fb_campaign_id,
        ad_id: ad.ad_id,
      };
      const repeat = (times: number, of: (i: number) => Json) =>
        Array.from({ length: times }, (_, i) => ({ ...base, ...of(i) }));
      return [
        { ...base, type: 'install', event_id: `i${ad.ad_id}`, attribution },
        ...repeat(Number(ad.Total_Conversion), (i) => ({ type: 'signup', event_id: `s${ad.ad_id}-${i}` })),
        ...repeat(Number(ad.Approved_Conversion), (i) => ({
          type: 'payment',
          amount: 100,
          currency: 'USD',
          event_id: `p${ad.ad_id}-${i}`,
        })),
      ];
    });
    await postEvents(service, own('real'), events);
    await decided(service, await idByName(service, 'projects', own('real')), ads.length);

    /** Sums in units of 10^-9, as a row of the report shows them. */
    const expected = (of: readonly Record<string, string>[]): Json => {
      const sum = (field: string) => of.reduce((total, ad) => total + Number(ad[field]), 0);
      const spend = of.reduce((total, ad) => total + BigInt(Math.round(Number(ad.Spent) * 1e9)), 0n);
      const revenue = BigInt(sum('Approved_Conversion')) * 100n;
      const money = (cents: bigint) =>
        `$${(Number(cents) / 100).toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`;
      const hundredths = (dividend: bigint, divisor: bigint) => (2n * dividend * 100n + divisor) / (2n * divisor);
      const ratio = (value: bigint) => `${value / 100n}.${(value % 100n).toString().padStart(2, '0')}`;
      const count = (n: number) => n.toLocaleString('en-US');
      return {
        clicks: count(sum('Clicks')),
        installs: count(of.length),
        'sign-ups': count(sum('Total_Conversion')),
        revenue: money(revenue * 100n),
        spend: money(hundredths(spend, 1_000_000_000n)),
        ...(spend > 0n ? { roas: ratio(hundredths(revenue * 1_000_000_000n, spend)) } : {}),
        revenue_event_count: count(sum('Approved_Conversion')),
      };
    };
    const figures = (row: Json, like: Json) => Object.fromEntries(Object.keys(like).map((name) => [name, row[name]]));
    const answered = await until(
      own('real'),
      { limit: '100' },
      ({ campaigns }) =>
        campaigns.reduce((total, row) => total + Number(String(row['sign-ups']).replace(',', '')), 0) ===
        events.filter((event) => event.type === 'signup').length,
    );
    const rows = answered.campaigns.filter((row) => row.meta);
    expect(rows.map((row) => row.name).sort()).toEqual(['1178', '916', '936']);
    for (const row of rows) {
      const ofCampaign = ads.filter((ad) => ad.xyz_campaign_id === row.name);
      expect(figures(row, expected(ofCampaign))).toEqual(expected(ofCampaign));
      for (const adSet of row.adSets as Json[]) {
        const inSet = ofCampaign.filter((ad) => ad.fb_campaign_id === adSet.id);
        expect({ id: adSet.id, ...figures(adSet, expected(inSet)) }).toEqual({ id: adSet.id, ...expected(inSet) });
        for (const one of adSet.adCreatives as Json[])
          expect(figures(one, expected(inSet.filter((ad) => ad.ad_id === one.id)))).toEqual(
            expected(inSet.filter((ad) => ad.ad_id === one.id)),
          );
      }
      expect((row.adSets as Json[]).length).toBe(new Set(ofCampaign.map((ad) => ad.fb_campaign_id)).size);
      expect(row.network_account).toEqual({
        id: expect.any(Number) as number,
        name: 'Meta',
        email: 'ads@acme.example',
        status: 'active',
        capi_configured: true,
        external_customer_id: 'act_1',
      });
    }
  },
  360_000,
);

// Rates are the installation's: no other suite has these currencies.
test('amounts without a rate are named, and count once a rate exists; a rate that changes restates', async () => {
  const at = '2025-07-01T10:00:00Z';
  const install = {
    type: 'install',
    install_id: 'm1',
    app_id: 'com.money',
    time: at,
    event_id: 'm-i',
    attribution: { campaign_display_id: 'eur', touch_type: 'click' },
  };
  const paid = (event_id: string, amount: number, currency: string, more: Json = {}) => ({
    type: 'payment',
    install_id: 'm1',
    app_id: 'com.money',
    time: at,
    event_id,
    amount,
    currency,
    ...more,
  });
  await postEvents(service, own('money'), [
    paid('m-1', 10, 'GBP'),
    paid('m-2', 0.0055, 'USD'),
    paid('m-3', 1000, 'SEK'),
    paid('m-4', 4, 'GBP', { type: 'refund' }),
    install,
  ]);
  await putSpend(service, own('money'), [{ date: '2025-07-01', campaign_id: 'eur', spend: 3, currency: 'GBP' }]);
  const ask = (count: string) =>
    until(own('money'), {}, (answer) => readRow(answer, 'eur')?.revenue_event_count === count);
  const figures = async () => {
    const answer = await ask('3');
    const row = readRow(answer, 'eur');
    return {
      revenue: row.revenue,
      roas: row.roas,
      spend: row.spend,
      unconverted: answer.data.unconverted_currencies,
      currency: answer.data.display_currency,
    };
  };
  expect(await figures()).toEqual({
    revenue: '£6.00',
    roas: '2.00',
    spend: '£3.00',
    unconverted: ['SEK', 'USD'],
    currency: 'GBP',
  });
  // 0.0055 / 1.1 is half a cent, rounded up.
  await service.apply({ exchange_rates: [{ date: '2025-06-01', currency: 'GBP', usd: 1.1 }] });
  expect(await figures()).toMatchObject({ revenue: '£6.01', unconverted: ['SEK'] });
  await service.apply({
    exchange_rates: [
      { date: '2025-07-01', currency: 'SEK', usd: 0.011 },
      { date: '2025-07-02', currency: 'SEK', usd: 5 },
    ],
  });
  expect(await figures()).toEqual({
    revenue: '£16.01',
    roas: '5.34',
    spend: '£3.00',
    unconverted: undefined,
    currency: 'GBP',
  });
  await service.apply({ exchange_rates: [{ date: '2025-07-01', currency: 'SEK', usd: 0.022 }] });
  expect((await figures()).revenue).toBe('£26.01');
  expect(readRow(await report(service, own('money'), { from: '2025-07-02' }), 'eur')).toMatchObject({
    revenue: '£0.00',
    has_date_filter: true,
    installs: '0',
  });
});

test('an install is of its project: what happens to one of the same ID in another changes nothing', async () => {
  const DEVICES = 10;
  const of = (name: string, type: string, install_id: string, days: number, more: Json = {}) => ({
    event_id: `${name}-${type}-${install_id}-${days}`,
    type,
    install_id,
    app_id: `com.${name}`,
    time: new Date(Date.now() - days * DAY).toISOString(),
    ...more,
  });
  const credit = (display_id: string) => ({ attribution: { campaign_display_id: display_id, touch_type: 'click' } });
  const devices = Array.from({ length: DEVICES }, (_, i) => ({
    gaid: `38400000-8cf0-11bd-b23e-${String(i).padStart(12, '7')}`,
    first: `first-${i}`,
    again: `again-${i}`,
  }));
  const [twin, namesake] = [
    await idByName(service, 'projects', own('twin')),
    await idByName(service, 'projects', own('namesake')),
  ];
  await postEvents(
    service,
    own('twin'),
    devices.map(({ gaid, first }) => of('twin', 'install', first, 20, { gaid, ...credit('t1') })),
  );
  await decided(service, twin, DEVICES);
  await postEvents(
    service,
    own('twin'),
    devices.flatMap(({ gaid, again }) => [
      of('twin', 'install', again, 10, { gaid, ...credit('t1') }),
      of('twin', 'payment', again, 5, { amount: 2, currency: 'EUR' }),
    ]),
  );
  await postEvents(
    service,
    own('namesake'),
    devices.map(({ again }) => of('namesake', 'install', again, 15, credit('n1'))),
  );
  await Promise.all([decided(service, twin, 2 * DEVICES), decided(service, namesake, DEVICES)]);
  const figures = async () => {
    const [acquired, retargeted, others] = [
      readRow(await report(service, own('twin')), 't1'),
      readRow(await report(service, own('twin'), { view: 'retargeting' }), 't1'),
      readRow(await report(service, own('namesake')), 'n1'),
    ];
    return {
      installs: acquired.installs,
      payments: acquired.revenue_event_count,
      reinstalls: retargeted.reinstalls,
      after: retargeted.revenue_event_count,
      others: others.installs,
      signups: others['sign-ups'],
    };
  };
  const expected = { installs: '10', payments: '10', reinstalls: '10', after: '10', others: '10', signups: '0' };
  await eventually(
    'both reports',
    async () => (JSON.stringify(await figures()) === JSON.stringify(expected) ? true : undefined),
    40_000,
  ).catch(() => undefined);
  expect(await figures()).toEqual(expected);
  // New events of the namesakes, and of another install of the first project, at once: one run derives both.
  for (let round = 1; round <= 3; round++) {
    await Promise.all([
      postEvents(
        service,
        own('namesake'),
        devices.map(({ again }) => of('namesake', 'signup', again, round)),
      ),
      postEvents(service, own('twin'), [of('twin', 'open', 'nobody', round)]),
    ]);
    await until(own('namesake'), {}, (answer) => readRow(answer, 'n1')['sign-ups'] === String(10 * round));
  }
  expect(await figures()).toEqual({ ...expected, signups: '30' });
}, 360_000);

test('what only a repeat of an event says connects no devices', async () => {
  const of = (type: string, install_id: string, days: number, more: Json = {}) => ({
    event_id: `repeat-${type}-${install_id}`,
    type,
    install_id,
    app_id: 'com.repeat',
    time: new Date(Date.now() - days * DAY).toISOString(),
    ...more,
  });
  const [device, other] = ['38400000-8cf0-11bd-b23e-aaaaaaaaaaaa', '38400000-8cf0-11bd-b23e-bbbbbbbbbbbb'];
  const credit = (display_id: string) => ({ attribution: { campaign_display_id: display_id, touch_type: 'click' } });
  const id = await idByName(service, 'projects', own('repeat'));
  await postEvents(service, own('repeat'), [
    of('install', 'r-first', 20, { gaid: device, ...credit('first') }),
    of('install', 'r-later', 15, { gaid: other, ...credit('later') }),
  ]);
  await decided(service, id, 2);
  await postEvents(service, own('repeat'), [
    of('install', 'r-again', 10, { gaid: device, ...credit('first') }),
    of('payment', 'r-again', 5, { amount: 2, currency: 'EUR' }),
  ]);
  await decided(service, id, 3);
  // As a sweep leaves an event that two processes stored at once, on two installs.
  await service.clickhouse.command({
    query: `
    INSERT INTO adtrail.app_events (project_id, install_id, event_key, id, event_id, type, time, received_at, app_id,
      platform, gaid, version, is_deleted)
    SELECT ${id}, 'r-again', generateUUIDv4(1) AS key, key, 'swept', 'open', now64(3), now64(3), 'com.repeat',
      'ANDROID', toUUID('${other}'), 1, 1`,
  });
  await eventually('what it says is noted', async () =>
    (
      await service.rows(
        `SELECT 1 FROM adtrail.installs_by_identifier
         WHERE project_id = ${id} AND install_id = 'r-again' AND value = '${other}'`,
      )
    ).length > 0
      ? true
      : undefined,
  );
  await postEvents(service, own('repeat'), [of('signup', 'r-again', 1)]);
  const answer = await until(own('repeat'), {}, ({ campaigns }) => campaigns.some((row) => row['sign-ups'] === '1'));
  expect(
    ['first', 'later'].map((name) => [readRow(answer, name)['sign-ups'], readRow(answer, name).revenue_event_count]),
  ).toEqual([
    ['1', '1'],
    ['0', '0'],
  ]);
}, 360_000);

test('when the time zone changes, every day moves', async () => {
  await postEvents(service, own('other'), [
    {
      type: 'install',
      install_id: 'z1',
      app_id: 'com.other',
      time: '2025-03-01T20:00:00Z',
      event_id: 'z1',
      attribution: { campaign_display_id: 'o1', touch_type: 'click' },
    },
  ]);
  await decided(service, await idByName(service, 'projects', own('other')), 1);
  const day = { from: '2025-03-02', to: '2025-03-02' };
  await until(own('other'), day, (answer) => readRow(answer, 'o1').installs === '1');
  await service.apply(own.document({ projects: [{ name: 'other', account: 'Acme', timezone: 'America/New_York' }] }));
  const answer = await until(
    own('other'),
    { from: '2025-03-01', to: '2025-03-01' },
    (one) => readRow(one, 'o1').installs === '1',
  );
  expect(readRow(answer, 'o1').installs).toBe('1');
  expect(readRow(await report(service, own('other'), day), 'o1').installs).toBe('0');
});

describe('rows and filters', () => {
  const ids = async (query: Record<string, string>) =>
    (await report(service, own('lists'), query)).campaigns.map((row) => row.display_id);

  test('a campaign without any event is there, with zeros', async () => {
    const answer = await report(service, own('lists'), { search: 'l1' });
    const row = readRow(answer, 'l1');
    expect(answer.data).toMatchObject({
      view: 'user_acquisition',
      display_currency: 'USD',
      pagination: { total: 1, pages: 1, page: 1, limit: 10 },
    });
    expect(row).toEqual({
      id: expect.any(Number) as number,
      active: true,
      created_at: '2025-01-01T00:00:00.000Z',
      display_id: 'l1',
      link: 'acme://sale?c=l1',
      name: 'Summer 100%',
      clicks: '0',
      installs: '0',
      'sign-ups': '0',
      conversion: '0.00%',
      revenue: '$0.00',
      spend: '$0.00',
      revenue_event_count: '0',
      custom_events: {},
      payment_events: {},
      cost_per_custom_events: {},
      cost_per_payment_events: {},
      retention: { d1: '-', d7: '-', d14: '-', d30: '-' },
      rolling_retention: { d1: '-', d7: '-' },
      uninstalls: '0',
      suspicious_installs: '0',
      click_through_attribution: '0',
      view_through_attribution: '0',
      meta: false,
      meta_web_to_app: false,
      google: false,
      google_web_to_app: false,
      tiktok: false,
      snapchat: false,
      linkedin: false,
      ad_network_code: own('mobi_ads'),
      ios: true,
      android: true,
      activity_in_last_x_days: 0,
      active_users: 0,
      has_date_filter: false,
      domain: { id: expect.any(Number) as number, name: own('go.lists.example') },
      custom_store_listing: null,
      classic_retention: { d1: '-', d7: '-', d14: '-', d30: '-' },
      daywise_revenue: { d0: '-', d3: '-', d7: '-', d30: '-' },
      network_account: null,
    });
  });

  test.each<[Record<string, string>, string[]]>([
    [{ active: 'false' }, ['l2']],
    [{ network: 'meta' }, ['l2']],
    [{ network: own('mobi_ads') }, ['l1']],
    [{ network: 'nobody' }, []],
    [{ search: 'WINTER' }, ['l3', 'l2']],
    [{ search: '100%' }, ['l1']],
    [{ search: '%' }, ['l1']],
    [{ search: 'ACME://sale' }, ['l1']],
    [{ search: `https://${own('go.lists.example')}/?c=l3` }, ['l3']],
    // Links as people open them, with and without their domain.
    [{ search: `https://${own('go.lists.example')}/l3` }, ['l3']],
    [{ search: `${own('go.lists.example')}/l2?utm_source=x` }, ['l2']],
    [{ search: '/l1' }, ['l1']],
    [{ search: '/sale?c=l3' }, ['l3']],
    [{ search: '/?c=l2&utm_source=x' }, ['l2']],
    [{ search: '/?utm_source=x&c=l2' }, ['l2']],
    [{ search: 'https://elsewhere.example/l1' }, []],
    [{ search: '\0' }, []],
    [{ meta_account_id: '999' }, []],
    [{ platform: 'ios', search: 'l', sort_order: 'ascending' }, ['l1', 'l2']],
  ])('%j finds %j', async (query, expected) => {
    expect((await ids({ sort_field: 'created_at', ...query })).filter((id) => /^l\d$/.test(id as string))).toEqual(
      expected,
    );
  });

  test('pages cover every campaign once, and one past the last is empty', async () => {
    const seen: unknown[] = [];
    for (let page = 1; page <= 4; page++)
      seen.push(...(await ids({ limit: '1', page: String(page), sort_field: 'created_at', sort_order: 'ascending' })));
    expect(seen.slice(0, 3)).toEqual(['l1', 'l2', 'l3']);
    expect(new Set(seen).size).toBe(4);
    expect(await report(service, own('lists'), { limit: '2', page: '9' })).toMatchObject({
      status: 200,
      campaigns: [],
      data: { pagination: { total: 4, pages: 2, page: 9, limit: 2 } },
    });
  });

  test('further pages go on in the order of the first, although figures change meanwhile', async () => {
    const query = { limit: '1', sort_field: 'spend' };
    const spend = (displayId: string, amount: number) =>
      putSpend(service, own('lists'), [{ date: '2025-01-01', campaign_id: displayId, spend: amount, currency: 'USD' }]);
    for (const [i, displayId] of ['l1', 'l2', 'l3'].entries()) await spend(displayId, 30 - i);
    const seen = [...(await ids(query))];
    await spend('l3', 100);
    await spend('l1', 1);
    for (const page of ['2', '3']) seen.push(...(await ids({ ...query, page })));
    expect(seen).toEqual(['l1', 'l2', 'l3']);
    expect(await ids(query)).toEqual(['l3']);
  });
});

describe('guards and parameters', () => {
  test.each<[Record<string, string>, number, string | RegExp]>([
    [{ from: '2026-02-30' }, 400, /from/],
    [{ limit: '101' }, 422, /100/],
  ])('%j is refused with %i', async (query, status, msg) => {
    const answer = await report(service, own('lists'), query);
    expect({ status: answer.status, msg: answer.body.msg }).toEqual({
      status,
      msg: expect.stringMatching(msg) as string,
    });
  });

  test('a wrong key, a suspended account', async () => {
    expect(await report(service, own('nobody'), 'limit=0')).toMatchObject({
      status: 401,
      body: { msg: 'Unauthorized access.', status: 401 },
    });
    expect(await report(service, own('late'), 'limit=0')).toMatchObject({
      status: 402,
      body: { payment_link: 'https://pay.example', status: 402 },
    });
  });

  test('empty parameters count as not sent, aliases stand in, and what is long or strange does no harm', async () => {
    expect(
      (
        await report(service, own('lists'), {
          from: '',
          view: '',
          network: '',
          limit: '',
          start_date: '1900-01-01',
          end_date: '2100-12-31',
        })
      ).campaigns[0],
    ).toMatchObject({ has_date_filter: true });
    const names = Array.from({ length: 5_000 }, (_, i) => `event-${i}`).join();
    expect(
      await report(service, own('lists'), {
        events: names,
        payment_events: names,
        cost_per_event: '\0,{x:String},%,"\',;--',
        unique_user_events: '\ud800,__proto__',
      }),
    ).toMatchObject({ status: 200, campaigns: expect.any(Array) as Json[] });
  });
});
