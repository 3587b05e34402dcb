/** `POST /api/v1/reporting/query` and `GET /api/v1/export/...` (docs/contract/queries.md and Exports). */
import { execFile } from 'node:child_process';
import { parse } from 'csv-parse/sync';
import fs from 'node:fs';
import path from 'node:path';
import { decided, postEvents, putSpend, report } from '../../support/reports/app-report';
import type { Json } from '../../support/collect/collect-client';
import { ownNames } from '../../support/workspace/own-names';
import { readParquet, readParquetTypes } from '../../support/reports/parquet';
import { ask, askBoth, postQuery, readReader, type QueryAnswer } from '../../support/reports/query';
import { idByName } from '../../support/s2s/s2s-client';
import { answered, cleanEnvironment, eventually, onOneNode, temporaryFolder } from '../../support/service';
import { sharedService } from '../../support/shared-service';

const service = sharedService();
const own = ownNames('query');
const KEY = own('key');
const INSTALLS = 12;
const DANGEROUS = '=1+1';
const GAID = '38400000-8cf0-11bd-b23e-10b96e4c0ffe';

const document = own.document({
  accounts: [{ name: 'Acme' }, { name: 'Late', billing_status: 'suspended', payment_link: 'https://pay.example' }],
  partners: [{ name: 'Mobi Ads', tokens: ['token'] }],
  projects: [
    {
      name: 'Shop',
      account: 'Acme',
      timezone: 'Europe/Berlin',
      currency: 'EUR',
      server_keys: ['key'],
      apps: [{ platform: 'ANDROID', app_id: 'com.query.shop' }],
      partner_switches: [{ partner: 'Mobi Ads', s2s_clicks: true }],
      campaigns: [
        { display_id: 'spring', name: 'Spring', partner: 'Mobi Ads' },
        { display_id: 'formula', name: DANGEROUS, partner: 'Mobi Ads', custom_channel: 'Influencers' },
      ],
    },
    { name: 'Unpaid', account: 'Late', timezone: 'UTC', server_keys: ['unpaid'] },
    { name: 'Empty', account: 'Acme', timezone: 'UTC', server_keys: ['empty'] },
    {
      name: 'Abroad',
      account: 'Acme',
      timezone: 'UTC',
      server_keys: ['abroad'],
      apps: [{ platform: 'ANDROID', app_id: 'com.query.abroad' }],
      partner_switches: [{ partner: 'Mobi Ads', s2s_clicks: true }],
      campaigns: [{ display_id: 'abroad', name: 'Abroad', partner: 'Mobi Ads' }],
    },
    ...(['JPY', 'KWD'] as const).map((currency) => ({
      name: `In ${currency}`,
      account: 'Acme',
      timezone: 'UTC',
      currency,
      server_keys: [currency],
      apps: [{ platform: 'ANDROID', app_id: `com.query.${currency.toLowerCase()}` }],
      campaigns: [{ display_id: `in-${currency}`, name: 'Abroad' }],
    })),
    {
      name: 'Mixed',
      account: 'Acme',
      timezone: 'UTC',
      server_keys: ['mixed'],
      apps: [{ platform: 'ANDROID', app_id: 'com.query.mixed' }],
      partner_switches: [{ partner: 'Mobi Ads', s2s_clicks: true }],
      network_accounts: [{ network: 'META', external_customer_id: 'act' }],
      campaigns: [
        { display_id: 'tracked', name: 'Tracked', partner: 'Mobi Ads' },
        { display_id: 'meta', name: 'Meta', network: 'META', network_campaign_id: '770' },
      ],
    },
  ],
});

/** Twelve installs, one a day from June 1, 2025: four of each campaign and four organic; each pays on its third day. */
const installs = Array.from({ length: INSTALLS }, (_, i) => ({
  id: `q${i}`,
  time: Date.UTC(2025, 5, 1 + i, 10),
  campaign: ['spring', 'formula', ''][i % 3] as string,
}));
const event = (type: string, of: (typeof installs)[number], after: number, more: Json = {}): Json => ({
  event_id: `${type}-${of.id}-${after}`,
  type,
  install_id: of.id,
  app_id: 'com.query.shop',
  time: new Date(of.time + after * 86_400_000).toISOString(),
  ...more,
});

beforeAll(async () => {
  await service.apply(document);
  await postEvents(
    service,
    KEY,
    installs.flatMap((of, i) => [
      event('install', of, 0, {
        ...(of.campaign ? { attribution: { campaign_display_id: of.campaign, touch_type: 'click' } } : {}),
        device: { os_version: `1${i % 2}`, app_version: '2.0.1' },
        ip: ['8.8.8.8', '217.80.10.1', ''][i % 3],
      }),
      event('payment', of, 2, { amount: 10.1, currency: 'EUR' }),
      event('event', of, 1, { name: 'level', user: { id: `u${i % 5}` } }),
    ]),
  );
  await putSpend(service, KEY, [
    { campaign_id: 'spring', date: '2025-06-02', spend: '7.5', currency: 'EUR', clicks: 3, impressions: 1_000 },
  ]);
  await decided(service, await idByName(service, 'projects', own('Shop')), INSTALLS);
  await eventually('all events are in the figures', async () =>
    (await ask(service, KEY, { ...RANGE, metrics: ['payments', 'event:level'] })).results[0]?.metrics.every(
      (count) => count === INSTALLS,
    )
      ? true
      : undefined,
  );
}, 180_000);

const RANGE = { source: 'app', from: '2025-06-01', to: '2025-06-30' };
const readRows = ({ results }: QueryAnswer) => results.map(({ dimensions, metrics }) => [...dimensions, ...metrics]);

describe('what is answered', () => {
  test('figures by campaign, with what each is called, totals and the rest of the answer', async () => {
    const answer = await ask(service, KEY, {
      ...RANGE,
      metrics: ['installs', 'revenue', 'spend', 'roas', 'ltv_d0', 'ltv_d2', 'roas_d2', 'impressions'],
      dimensions: ['campaign'],
      order_by: [['campaign', 'asc']],
      include: ['totals', 'organic'],
    });
    // None of the four organic installs has to do with what was spent.
    expect(answer.body).toMatchObject({
      results: [
        { dimensions: ['formula'], labels: [DANGEROUS], metrics: [4, 40.4, 0, null, 0, 10.1, null, 0] },
        { dimensions: ['organic'], labels: ['Organic'], metrics: [4, 40.4, 0, null, 0, 10.1, null, 0] },
        { dimensions: ['spring'], labels: ['Spring'], metrics: [4, 40.4, 7.5, 5.39, 0, 10.1, 5.39, 1000] },
      ],
      totals: [12, 121.2, 7.5, 10.77, 0, 10.1, 10.77, 1000],
      meta: { rows: 3, currency: 'EUR', timezone: 'Europe/Berlin' },
      query: { source: 'app', view: 'user_acquisition', from: '2025-06-01', limit: 1000, offset: 0, filters: [] },
    });
    expect(answer.meta).toHaveProperty('cohorts_mature_until');
    expect(Date.parse(answer.meta.complete_until as string)).toBeGreaterThan(Date.now() - 3_600_000);
  });

  test('what is spent is set against what campaigns are credited with; blended against everything', async () => {
    const asked = {
      ...RANGE,
      metrics: ['roas', 'cpi', 'cpa', 'profit', 'blended_roas', 'blended_cpi', 'roas_d2'],
      dimensions: ['campaign'],
      order_by: [['campaign', 'asc']],
    };
    const { results, totals } = await ask(service, KEY, { ...asked, include: ['totals', 'organic'] });
    expect(results.map(({ dimensions, metrics }) => [...dimensions, ...metrics])).toEqual([
      ['formula', null, 0, null, 40.4, null, 0, null],
      ['organic', null, null, null, 0, null, 0, null],
      ['spring', 5.39, 1.88, null, 32.9, 5.39, 1.88, 5.39],
    ]);
    expect(totals).toEqual([10.77, 0.94, null, 73.3, 16.16, 0.63, 10.77]);
    // Rows that are not by campaign mix both, and say the same as the totals.
    const month = await ask(service, KEY, { ...asked, dimensions: ['month'], order_by: undefined });
    expect(month.results[0]?.metrics).toEqual(totals);
    // Without what is organic nothing changes but what is blended.
    const without = await ask(service, KEY, { ...asked, include: ['totals'] });
    expect(without.totals).toEqual([10.77, 0.94, null, 73.3, 10.77, 0.94, 10.77]);
  });

  test('the app report says the same', async () => {
    const asked = { from: '2025-06-02', to: '2025-06-08' };
    const { results } = await ask(service, KEY, {
      source: 'app',
      ...asked,
      metrics: ['installs', 'revenue', 'spend', 'retention_d1', 'classic_retention_d7'],
      dimensions: ['campaign'],
      include: [],
    });
    const reported = await eventually('the app report', async () => {
      const answer = await report(service, KEY, { ...asked, limit: '100' });
      return answer.status === 429 || answer.status === 503 ? undefined : answer;
    });
    const money = (text: unknown) => Number(String(text).replace(/[€,]/g, ''));
    const expected = reported.campaigns.map((row) => [
      row.display_id,
      Number(row.installs),
      money(row.revenue),
      money(row.spend),
      (row.retention as Json).d1,
      (row.classic_retention as Json).d7,
    ]);
    expect(results.map(({ dimensions, metrics }) => [...dimensions, ...metrics]).sort()).toEqual(expected.sort());
  });

  test('by custom channel, network and partner', async () => {
    const answer = await ask(service, KEY, {
      ...RANGE,
      metrics: ['installs'],
      dimensions: ['channel', 'partner', 'network'],
      order_by: [['channel', 'asc']],
    });
    const partner = own('Mobi Ads');
    const network = partner.toLowerCase().replaceAll(' ', '_');
    expect(readRows(answer)).toEqual(
      [
        ['', '', '', 4],
        ['Influencers', partner, network, 4],
        [network, partner, network, 4],
      ].sort(([a = ''], [b = '']) => (a < b ? -1 : 1)),
    );
  });

  test('by the versions that the devices named', async () => {
    const answer = await ask(service, KEY, {
      ...RANGE,
      metrics: ['installs', 'payments'],
      dimensions: ['os_version', 'app_version'],
      filters: [['contains', 'app_version', ['2.']]],
      order_by: [['os_version', 'desc']],
    });
    expect(readRows(answer)).toEqual([
      ['11', '2.0.1', 6, 6],
      ['10', '2.0.1', 6, 6],
    ]);
  });

  test('by country: of the device that was installed on, and of the clicks', async () => {
    const answer = await ask(service, KEY, {
      ...RANGE,
      metrics: ['installs', 'payments', 'retention_d1'],
      dimensions: ['country'],
      order_by: [['country', 'asc']],
    });
    expect(readRows(answer)).toEqual([
      ['', 4, 4, 100],
      ['DE', 4, 4, 100],
      ['US', 4, 4, 100],
    ]);
    for (const [tid, ip] of Object.entries({ us1: '8.8.8.8', us2: '8.8.4.4', de: '217.80.10.1', none: '' }))
      expect(
        (
          await service.request(
            `/v1/click/com.query.abroad?${new URLSearchParams({ c: 'abroad', tid, ip, gaid: GAID }).toString()}`,
            { headers: { 'X-Service-Token': own('token') } },
          )
        ).status,
      ).toBe(200);
    const today = new Date().toISOString().slice(0, 10);
    const clicks = await eventually('the clicks are stored', async () => {
      const asked = await ask(service, own('abroad'), {
        source: 'app',
        from: '2025-06-01',
        to: today,
        metrics: ['clicks'],
        dimensions: ['country'],
        filters: [['is_not', 'country', ['']]],
      });
      return asked.results.length === 2 ? asked : undefined;
    });
    expect(readRows(clicks)).toEqual([
      ['US', 2],
      ['DE', 1],
    ]);
    expect(
      await service.rows(
        `SELECT country, device_type, os_name FROM analytics.clicks WHERE tid = 'us1' AND gaid = '${GAID}'`,
      ),
    ).toEqual([{ country: 'US', device_type: '', os_name: '' }]);
  });

  test('what a dimension or a filter makes unknown is null, and named', async () => {
    const today = new Date().toISOString().slice(0, 10);
    const mixed = { source: 'app', from: today, to: today };
    const key = own('mixed');
    for (const [tid, ip] of Object.entries({ us1: '8.8.8.8', us2: '8.8.4.4', de: '217.80.10.1' })) {
      const path = `/v1/click/com.query.mixed?${new URLSearchParams({ c: 'tracked', tid, ip, gaid: GAID }).toString()}`;
      const { status } = await service.request(path, { headers: { 'X-Service-Token': own('token') } });
      expect(status).toBe(200);
    }
    await postEvents(
      service,
      key,
      ['tracked', 'meta'].map((campaign, i) => ({
        event_id: `mixed-${campaign}`,
        type: 'install',
        install_id: `mixed-${campaign}`,
        app_id: 'com.query.mixed',
        time: new Date().toISOString(),
        attribution: { campaign_display_id: campaign, touch_type: 'click' },
        ip: ['8.8.8.8', '217.80.10.1'][i],
      })),
    );
    await putSpend(service, key, [
      { date: today, network: 'META', account: 'act', campaign_id: '770', spend: 5, currency: 'USD', clicks: 9 },
    ]);
    await eventually('everything of it is in the figures', async () => {
      const { results } = await ask(service, key, { ...mixed, metrics: ['installs', 'clicks', 'spend'] });
      return JSON.stringify(results[0]?.metrics) === '[2,12,5]' ? true : undefined;
    });

    const asked = { ...mixed, metrics: ['installs', 'clicks', 'spend', 'cpi', 'profit', 'blended_roas', 'arpu'] };
    const unknown = ['clicks', 'spend', 'cpi', 'profit', 'blended_roas'];
    const whole = { ...asked, compare: 'previous_period', include: ['totals', 'organic'] };
    const byCountry = await ask(service, key, {
      ...whole,
      dimensions: ['country'],
      order_by: [
        ['spend', 'desc'],
        ['country', 'asc'],
      ],
    });
    expect(byCountry.meta.unknown).toEqual(unknown);
    expect(byCountry.results).toEqual(
      ['DE', 'US'].map((country) => ({
        dimensions: [country],
        labels: [country],
        metrics: [1, null, null, null, null, null, 0],
        comparison: [0, null, null, null, null, null, null],
      })),
    );
    expect(byCountry.totals).toEqual([2, null, null, null, null, null, 0]);
    const inOneCountry = await ask(service, key, { ...whole, filters: [['is', 'country', ['us']]] });
    expect(inOneCountry.results[0]?.metrics).toEqual([1, null, null, null, null, null, 0]);
    expect(inOneCountry.totals).toEqual(inOneCountry.results[0]?.metrics);

    // Clicks are known where a campaign has them tracked; what is not known comes last in both orders.
    for (const direction of ['asc', 'desc']) {
      const answer = await ask(service, key, {
        ...mixed,
        metrics: ['clicks', 'installs'],
        dimensions: ['campaign', 'country'],
        order_by: [['clicks', direction]],
      });
      const tracked = [
        ['tracked', 'DE', 1, 0],
        ['tracked', 'US', 2, 1],
      ];
      expect(readRows(answer)).toEqual([
        ...(direction === 'asc' ? tracked : tracked.reverse()),
        ['meta', 'DE', null, 1],
      ]);
      expect(answer.meta.unknown).toEqual(['clicks']);
    }
    const only = (campaign: string, more: object = {}) =>
      ask(service, key, {
        ...mixed,
        metrics: ['clicks'],
        dimensions: ['country'],
        filters: [['is', 'campaign', [campaign]]],
        include: ['totals'],
        ...more,
      });
    const ofTracked = await only('tracked');
    expect([readRows(ofTracked), ofTracked.totals, ofTracked.meta.unknown]).toEqual([
      [
        ['US', 2],
        ['DE', 1],
      ],
      [3],
      undefined,
    ]);
    // Nothing is known of them, and it says so, with totals and without.
    for (const include of [['totals'], []]) {
      const { results, meta, totals } = await only('meta', { include });
      expect([results, meta.unknown, totals]).toEqual([[], ['clicks'], include.length > 0 ? [null] : undefined]);
    }
    const spend = await ask(service, key, {
      ...mixed,
      metrics: ['spend', 'impressions'],
      dimensions: ['campaign', 'os_version'],
      compare: 'previous_period',
      include: ['totals'],
    });
    expect([spend.results, spend.totals, spend.meta.rows, spend.meta.unknown]).toEqual([
      [],
      [null, null],
      0,
      ['spend', 'impressions'],
    ]);
    // On days without clicks of a network there are none that could be hidden.
    const before = { ...mixed, from: '2025-06-01', to: '2025-06-30', metrics: ['clicks'], dimensions: ['hour'] };
    const quiet = await ask(service, key, { ...before, include: ['totals'] });
    expect([quiet.totals, quiet.meta.unknown]).toEqual([[0], undefined]);

    const reader = await readReader(service, await idByName(service, 'projects', own('Mixed')));
    for (const dimensions of [['country'], ['campaign', 'country'], ['network', 'channel', 'hour'], []])
      for (const metrics of [['clicks', 'installs', 'spend'], ['spend']]) {
        const filters = dimensions.length === 0 ? [['contains', 'country', ['']]] : [];
        const { rows, shown } = await askBoth(service, key, reader, { ...mixed, metrics, dimensions, filters });
        expect([metrics, shown]).toEqual([metrics, rows]);
      }

    const file = (format: string, metrics = ['clicks', 'installs', 'spend']) =>
      answered(() =>
        service.request(`/api/v1/reporting/query?format=${format}`, {
          method: 'POST',
          headers: { 'service-key': key },
          body: JSON.stringify({ ...mixed, metrics, dimensions: ['country'], order_by: [['country', 'asc']] }),
        }),
      );
    const rows = ['DE', 'US'].map((country) => ({ country, clicks: null, installs: 1, spend: null }));
    expect(await (await file('csv')).text()).toBe('country,clicks,installs,spend\nDE,,1,\nUS,,1,\n');
    const lines = (await (await file('ndjson')).text()).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as Json)).toEqual(rows);
    expect(await readParquet(await (await file('parquet')).arrayBuffer())).toEqual(rows);
    expect(await (await file('csv', ['spend'])).text()).toBe('country,spend\n');
  });

  test.each<[string, number[]]>([
    ['JPY', [101, 33, 67, 33, 101, 101, 101, 3.03]],
    ['KWD', [100.505, 33.168, 67.337, 33.168, 100.505, 100.505, 100.505, 3.03]],
  ])('money in %s has as many decimals as that has', async (currency, figures) => {
    const metrics = ['revenue', 'spend', 'profit', 'cpi', 'arpu', 'ltv_d0', 'event_amount:gem', 'roas'];
    const about = { install_id: 'i', app_id: `com.query.${currency.toLowerCase()}`, time: '2025-06-01T10:00:00Z' };
    const amount = { amount: 100.5045, currency };
    await postEvents(service, own(currency), [
      {
        ...about,
        event_id: 'i',
        type: 'install',
        attribution: { campaign_display_id: `in-${currency}`, touch_type: 'click' },
      },
      { ...about, event_id: 'p', type: 'payment', ...amount },
      { ...about, event_id: 'e', type: 'event', name: 'gem', ...amount },
    ]);
    await putSpend(service, own(currency), [
      { campaign_id: `in-${currency}`, date: '2025-06-01', spend: '33.1675', currency },
    ]);
    const asked = { ...RANGE, metrics };
    await eventually(`money in ${currency}`, async () => {
      const { results } = await ask(service, own(currency), asked);
      return results[0]?.metrics.every((value) => value) ? true : undefined;
    });
    const { results, totals } = await ask(service, own(currency), { ...asked, include: ['totals'] });
    expect(results[0]?.metrics).toEqual(figures);
    expect(totals).toEqual(figures);
    const file = (format: string) =>
      answered(() =>
        service.request(`/api/v1/reporting/query?format=${format}`, {
          method: 'POST',
          headers: { 'service-key': own(currency) },
          body: JSON.stringify(asked),
        }),
      );
    expect(await (await file('csv')).text()).toBe(`${metrics.join(',')}\n${figures.join(',')}\n`);
    const inFile = Object.fromEntries(metrics.map((name, at) => [name, figures[at]]));
    expect(await readParquet(await (await file('parquet')).arrayBuffer())).toEqual([inFile]);
  });

  test('filters: in any case, each operator', async () => {
    const asking = async (filter: unknown) =>
      readRows(
        await ask(service, KEY, { ...RANGE, metrics: ['installs'], dimensions: ['campaign'], filters: [filter] }),
      )
        .map(([campaign]) => campaign)
        .sort();
    expect(await asking(['is', 'campaign', ['spring', 'Organic']])).toEqual(['organic', 'spring']);
    expect(await asking(['is', 'campaign_name', ['SPRING']])).toEqual(['spring']);
    expect(await asking(['is_not', 'campaign', ['spring']])).toEqual(['formula', 'organic']);
    expect(await asking(['contains', 'campaign_name', ['PRIN', '%']])).toEqual(['spring']);
    expect(await asking(['contains_not', 'campaign_name', ['rg', '1+']])).toEqual(['spring']);
  });

  test('texts are bound, whatever is in them', async () => {
    const text = `it's \\ "x" {from:Date} --`;
    const answer = await ask(service, KEY, {
      ...RANGE,
      metrics: ['installs', `event:${text}`, `event_users:${text}`, `event_amount:${text}`],
      dimensions: ['ad_set'],
      filters: [
        ['is_not', 'ad_set', [text, '']],
        ['contains', 'ad', [text]],
        ['contains_not', 'keyword', [text]],
      ],
    });
    expect(answer.results).toEqual([]);
  });

  test('ranges beyond the days that are stored', async () => {
    const asked = { source: 'app', from: '0001-01-01', to: '9999-12-31', metrics: ['installs', 'spend'] };
    expect((await ask(service, KEY, asked)).results[0]?.metrics).toEqual([INSTALLS, 7.5]);
    const before = await postQuery(service, KEY, { ...asked, compare: 'previous_period' });
    expect(before.body.msg).toBe('compare: there are not as many days before from.');
    const year = await ask(service, KEY, { ...asked, from: '2024-02-29', to: '2024-02-29', compare: 'previous_year' });
    expect(year.body.query).toMatchObject({ compare: { from: '2023-02-28', to: '2023-02-28' } });
  });

  test('a day in the time zone of the project, a week from its Monday, a month', async () => {
    const asking = async (dimension: string) =>
      readRows(await ask(service, KEY, { ...RANGE, metrics: ['installs'], dimensions: [dimension] }));
    expect((await asking('day')).slice(0, 2)).toEqual([
      ['2025-06-01', 1],
      ['2025-06-02', 1],
    ]);
    expect(await asking('week')).toEqual([
      ['2025-05-26', 1],
      ['2025-06-02', 7],
      ['2025-06-09', 4],
    ]);
    expect(await asking('month')).toEqual([['2025-06', 12]]);
    expect((await asking('hour'))[0]).toEqual(['2025-06-01 12', 1]);
  });

  test('a triangle of retention: by week of install and days since', async () => {
    const answer = await ask(service, KEY, {
      ...RANGE,
      metrics: ['installs', 'active_users', 'revenue'],
      dimensions: ['install_week', 'day_n'],
    });
    // Three weeks, of each the days 0 to 90.
    expect(answer.meta.rows).toBe(3 * 91);
    expect(readRows(answer).slice(91, 91 + 4)).toEqual([
      ['2025-06-02', '0', 7, 7, 0],
      ['2025-06-02', '1', 7, 7, 0],
      ['2025-06-02', '2', 7, 7, 70.7],
      ['2025-06-02', '3', 7, 0, 0],
    ]);
    expect(readRows(answer)[10]).toEqual(['2025-05-26', '10', 1, 0, 0]);
  });

  test('a range to compare with: its rows stand beside those of the same place', async () => {
    const answer = await ask(service, KEY, {
      source: 'app',
      from: '2025-06-07',
      to: '2025-06-10',
      metrics: ['installs', 'cpi'],
      dimensions: ['day'],
      compare: 'previous_period',
    });
    expect(answer.body.query).toMatchObject({ compare: { from: '2025-06-03', to: '2025-06-06' } });
    // On June 3 and 6 what was installed is organic.
    expect(answer.results.map(({ dimensions, comparison }) => [...dimensions, ...(comparison ?? [])])).toEqual([
      ['2025-06-07', 1, null],
      ['2025-06-08', 1, 0],
      ['2025-06-09', 1, 0],
      ['2025-06-10', 1, null],
    ]);
    const whole = await ask(service, KEY, {
      source: 'app',
      from: '2025-06-07',
      to: '2025-06-10',
      metrics: ['installs', 'revenue'],
      compare: 'previous_period',
    });
    expect(whole.results).toEqual([{ dimensions: [], labels: [], metrics: [4, 40.4], comparison: [4, 40.4] }]);
    const year = await ask(service, KEY, {
      source: 'app',
      from: '2026-06-01',
      to: '2026-06-30',
      metrics: ['installs', 'payments'],
      dimensions: ['campaign'],
      compare: 'previous_year',
      include: ['totals'],
    });
    expect(year.results).toEqual([]);
    expect(year.totals).toEqual([0, 0]);
    const other = await ask(service, KEY, {
      source: 'app',
      from: '2025-06-01',
      to: '2025-06-03',
      metrics: ['installs'],
      dimensions: ['campaign'],
      compare: { from: '2024-01-01', to: '2024-01-31' },
      order_by: [['campaign', 'asc']],
    });
    expect(other.results.map(({ comparison }) => comparison)).toEqual([[0], [0], [0]]);
  });

  test('the statement of an answer gives a reader of the project the same rows', async () => {
    const reader = await readReader(service, await idByName(service, 'projects', own('Shop')));
    for (const [metrics, dimensions, filters = []] of [
      [
        ['clicks', 'installs', 'revenue', 'spend', 'roas', 'active_users'],
        ['campaign', 'day'],
      ],
      [
        ['active_users', 'impressions', 'event_users:level'],
        ['partner', 'channel', 'network', 'month'],
      ],
      [
        ['ltv_d0', 'ltv_d2', 'roas_d2', 'retention_d1', 'rolling_retention_d7'],
        ['campaign', 'week'],
      ],
      [
        ['installs', 'active_users', 'revenue'],
        ['install_month', 'day_n'],
      ],
      [
        ['clicks', 'installs'],
        ['hour', 'platform'],
      ],
      [
        ['installs', 'payments'],
        ['country', 'os_version', 'app_version', 'rule'],
      ],
      [
        ['spend', 'cpi', 'cpa', 'event_amount:level'],
        ['ad_set', 'keyword'],
        [['contains', 'campaign_name', ["it's", 'r']]],
      ],
      [['event:level', 'conversion', 'suspicious', 'signups'], [], [['is_not', 'touch_type', ['', 'x\\']]]],
    ] as [string[], string[], unknown[]?][]) {
      const { rows, shown } = await askBoth(service, KEY, reader, { ...RANGE, metrics, dimensions, filters });
      expect([metrics, shown]).toEqual([metrics, rows]);
    }
  });

  test('pages: a stable order without repeats, and the number of all rows on each', async () => {
    const asked = {
      ...RANGE,
      metrics: ['installs'],
      dimensions: ['day', 'campaign'],
      order_by: [['installs', 'desc']],
    };
    const pages = await Promise.all([0, 5, 10, 15].map((offset) => ask(service, KEY, { ...asked, limit: 5, offset })));
    expect(pages.map(({ results }) => results.length)).toEqual([5, 5, 2, 0]);
    expect(pages.map(({ meta }) => meta.rows)).toEqual([12, 12, 12, 12]);
    const days = pages.flatMap(({ results }) => results.map(({ dimensions }) => dimensions[0] as string));
    expect(days).toEqual([...days].sort());
    expect(new Set(days).size).toBe(12);
  });

  test('a project without anything: no rows, zeros as totals', async () => {
    const answer = await ask(service, own('empty'), { ...RANGE, metrics: ['installs', 'cpi'], include: ['totals'] });
    expect({ results: answer.results, totals: answer.totals, rows: answer.meta.rows }).toEqual({
      results: [],
      totals: [0, null],
      rows: 0,
    });
  });
});

test('what can be asked for, with labels and formats', async () => {
  const model = (key: string) => service.request('/api/v1/reporting/model', { headers: { 'service-key': key } });
  const { app, web } = (await (await model(KEY)).json()) as Record<string, { metrics: Json[]; dimensions: Json[] }>;
  expect(app?.metrics).toContainEqual({
    name: 'cpi',
    label: 'CPI',
    about: 'Spend per install of a campaign',
    format: 'money',
  });
  expect(app?.dimensions).toContainEqual({
    name: 'campaign_name',
    label: 'Campaign name',
    format: 'text',
    rows: false,
    filters: true,
  });
  expect(web?.dimensions).toContainEqual({
    name: 'week',
    label: 'Week',
    format: 'week',
    rows: true,
    filters: false,
  });
  expect(web?.metrics.map(({ name }) => name)).toContain('event:<name>');
  expect((await model('nobody')).status).toBe(401);
});

describe('what a dimension holds', () => {
  const values = async (parameters: Record<string, string>, key = KEY) => {
    const path = `/api/v1/reporting/values?${new URLSearchParams(parameters).toString()}`;
    return eventually('values', async () => {
      const response = await service.request(path, { headers: { 'service-key': key } });
      if (response.status === 429 || response.status === 503) return undefined;
      return { status: response.status, body: (await response.json()) as Json };
    });
  };
  const tuples = ({ body }: { body: Json }) =>
    (body.values as { value: string; label: string; count: number }[]).map(({ value, label, count }) => [
      value,
      label,
      count,
    ]);

  test('each value with what it is called and how often it is there', async () => {
    expect(tuples(await values({ dimension: 'os_version' }))).toEqual([
      ['10', '10', 6],
      ['11', '11', 6],
    ]);
    expect(tuples(await values({ dimension: 'campaign', source: 'app' }))).toEqual([
      ['formula', DANGEROUS, 4],
      ['organic', 'Organic', 4],
      ['spring', 'Spring', 4],
    ]);
    expect(tuples(await values({ dimension: 'campaign_name' })).map(([value]) => value)).toEqual([
      DANGEROUS,
      'Organic',
      'Spring',
    ]);
    expect(tuples(await values({ dimension: 'country' })).sort()).toEqual([
      ['', '', 4],
      ['DE', 'Germany', 4],
      ['US', 'United States', 4],
    ]);
    expect((await values({ dimension: 'country' }, own('empty'))).body).toEqual({ values: [] });
  });

  test('searched for literally and in any case, in values and in what they are called', async () => {
    const found = async (dimension: string, search: string) =>
      tuples(await values({ dimension, search })).map(([value]) => value);
    expect(await found('campaign', 'SPRI')).toEqual(['spring']);
    expect(await found('campaign', '1+')).toEqual(['formula']);
    expect(await found('campaign', '%')).toEqual([]);
    expect(await found('campaign_name', 'formula')).toEqual([]);
    expect(await found('campaign_name', 'ORG')).toEqual(['Organic']);
    expect(await found('channel', 'influ')).toEqual(['Influencers']);
    expect(await found('country', `d'\\`)).toEqual([]);
    expect(await found('country', 'GERM')).toEqual(['DE']);
    expect(await found('country', 'us')).toEqual(['US']);
  });

  test.each([
    'campaign_name',
    'network',
    'partner',
    'ad_set',
    'ad',
    'keyword',
    'platform',
    'touch_type',
    'app',
    'rule',
  ])('of app queries: %s', async (dimension) => {
    const listed = tuples(await values({ dimension }));
    expect(listed.reduce((sum, [, , count]) => sum + Number(count), 0)).toBe(INSTALLS);
    const searched = tuples(await values({ dimension, search: String(listed[0]?.[1]).toUpperCase() }));
    if (listed[0]?.[1] !== '') expect(searched).toContainEqual(listed[0]);
  });

  test('100 at most, those with most installs', async () => {
    const ids = Array.from({ length: 102 }, (_, i) => `many-${i}`);
    await postEvents(
      service,
      own('abroad'),
      [...ids, 'many-again'].map((id) => ({
        event_id: id,
        type: 'install',
        install_id: id,
        app_id: 'com.query.abroad',
        time: '2025-06-01T10:00:00Z',
        device: { app_version: id === 'many-again' ? 'many-101' : id },
      })),
    );
    const listed = await eventually('all of them are listed', async () => {
      const { body } = await values({ dimension: 'app_version' }, own('abroad'));
      return (body.values as Json[])[0]?.count === 2 ? (body.values as Json[]) : undefined;
    });
    expect(listed).toHaveLength(100);
    expect(listed[0]).toEqual({ value: 'many-101', label: 'many-101', count: 2 });
  });

  test.each([
    [{ dimension: 'planet' }, /^Unknown dimension: "planet"\. Legal: campaign_name, campaign, network, /],
    [{ dimension: 'day' }, /^Unknown dimension: "day"\. Legal: /],
    [{}, /^Unknown dimension: ""\. Legal: /],
    [{ dimension: 'browser' }, /^Unknown dimension: "browser"/],
    [{ dimension: 'country', source: 'tv' }, /^source: must be app or web$/],
    [{ dimension: 'country', search: 'x'.repeat(501) }, /^search: must have at most 500 characters$/],
  ] as [Record<string, string>, RegExp][])('%j is refused', async (parameters, message) =>
    expect(await values(parameters)).toEqual({
      status: 400,
      body: { status: 400, msg: expect.stringMatching(message) as string },
    }),
  );

  test('another key, and a suspended account', async () => {
    expect((await values({ dimension: 'country' }, 'nobody')).status).toBe(401);
    expect((await values({ dimension: 'country' }, own('unpaid'))).status).toBe(402);
  });
});

onOneNode('what is refused', () => {
  const good = { ...RANGE, metrics: ['installs'] };
  test.each<[string, unknown, string | RegExp]>([
    ['no metrics', { ...RANGE }, /metrics/],
    ['an unknown metric', { ...good, metrics: ['instals'] }, /^Unknown metric: "instals"\. Legal: clicks, .*ltv_dN/],
    ['a body that is no object', [], /JSON/],
  ])('%s', async (_what, body, message) => {
    const answer = await postQuery(service, KEY, body);
    expect({ status: answer.status, msg: answer.body.msg }).toEqual({
      status: 400,
      msg: expect.stringMatching(message) as string,
    });
  });

  test('another key, no key, and a suspended account', async () => {
    expect((await postQuery(service, 'nobody', good)).status).toBe(401);
    const without = await service.request('/api/v1/reporting/query', { method: 'POST', body: '{}' });
    expect(without.status).toBe(401);
    expect((await postQuery(service, own('unpaid'), good)).status).toBe(402);
    const file = await service.request('/api/v1/export/clicks?from=2025-06-01&to=2025-06-01', {
      headers: { 'service-key': own('unpaid') },
    });
    expect(file.status).toBe(402);
  });
});

onOneNode('files', () => {
  const question = {
    ...RANGE,
    metrics: ['installs', 'revenue', 'roas'],
    dimensions: ['campaign', 'month'],
    order_by: [['campaign', 'asc']],
  };
  const get = (more: string, headers: Record<string, string> = {}) =>
    answered(() =>
      service.request(`/api/v1/reporting/query${more}`, {
        method: 'POST',
        headers: { 'service-key': KEY, ...headers },
        body: JSON.stringify({ ...question, limit: 1 }),
      }),
    );

  test('CSV: all rows, and nothing that a spreadsheet would run', async () => {
    const response = await get('', { Accept: 'text/csv' });
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="query-2025-06-01-2025-06-30.csv"');
    expect(await response.text()).toBe(
      [
        'campaign,campaign_name,month,installs,revenue,roas',
        `formula,'${DANGEROUS},2025-06,4,40.4,`,
        'organic,Organic,2025-06,4,40.4,',
        'spring,Spring,2025-06,4,40.4,5.39',
        '',
      ].join('\n'),
    );
  });

  test('CSV with a byte order mark, where it is asked for', async () => {
    const bytes = async (more: string) => Buffer.from(await (await get(more)).arrayBuffer());
    const plain = await bytes('?format=csv');
    expect(plain.subarray(0, 8).toString()).toBe('campaign');
    expect(await bytes('?format=csv&bom=false')).toEqual(plain);
    expect(await bytes('?format=csv&bom=true')).toEqual(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), plain]));
    expect((await bytes('?format=ndjson&bom=true')).subarray(0, 1).toString()).toBe('{');
    expect(await (await get('?format=csv&bom=1')).json()).toEqual({ msg: 'bom: must be true or false', status: 400 });
    const empty = await answered(() =>
      service.request('/api/v1/reporting/query?format=csv&bom=true', {
        method: 'POST',
        headers: { 'service-key': own('empty') },
        body: JSON.stringify(question),
      }),
    );
    expect(Buffer.from(await empty.arrayBuffer()).toString()).toBe(
      '\ufeffcampaign,campaign_name,month,installs,revenue,roas\n',
    );
  });

  test('NDJSON', async () => {
    const lines = (await (await get('?format=ndjson')).text()).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as Json)).toEqual([
      { campaign: 'formula', campaign_name: DANGEROUS, month: '2025-06', installs: 4, revenue: 40.4, roas: null },
      { campaign: 'organic', campaign_name: 'Organic', month: '2025-06', installs: 4, revenue: 40.4, roas: null },
      { campaign: 'spring', campaign_name: 'Spring', month: '2025-06', installs: 4, revenue: 40.4, roas: 5.39 },
    ]);
  });

  test('Parquet, read by another program', async () => {
    const response = await get('', { Accept: 'application/vnd.apache.parquet' });
    expect(response.headers.get('content-type')).toBe('application/vnd.apache.parquet');
    expect(await readParquet(await response.arrayBuffer())).toEqual([
      { campaign: 'formula', campaign_name: DANGEROUS, month: '2025-06', installs: 4, revenue: 40.4, roas: null },
      { campaign: 'organic', campaign_name: 'Organic', month: '2025-06', installs: 4, revenue: 40.4, roas: null },
      { campaign: 'spring', campaign_name: 'Spring', month: '2025-06', installs: 4, revenue: 40.4, roas: 5.39 },
    ]);
  });

  test('without rows there is a header all the same', async () => {
    const empty = (format: string) =>
      answered(() =>
        service.request(`/api/v1/reporting/query?format=${format}`, {
          method: 'POST',
          headers: { 'service-key': own('empty') },
          body: JSON.stringify(question),
        }),
      );
    expect(await (await empty('csv')).text()).toBe('campaign,campaign_name,month,installs,revenue,roas\n');
    expect(await (await empty('ndjson')).text()).toBe('');
    expect(await readParquet(await (await empty('parquet')).arrayBuffer())).toEqual([]);
  });

  test('an unknown format, and a comparison, are refused', async () => {
    expect(await (await get('?format=xls')).json()).toEqual({
      msg: "Unknown format 'xls'. Legal: json, csv, ndjson, parquet.",
      status: 400,
    });
    const compared = await answered(() =>
      service.request('/api/v1/reporting/query?format=csv', {
        method: 'POST',
        headers: { 'service-key': KEY },
        body: JSON.stringify({ ...question, compare: 'previous_period' }),
      }),
    );
    expect(compared.status).toBe(400);
  });
});

onOneNode('adtrail export', () => {
  const folder = temporaryFolder();
  afterAll(() => fs.rmSync(folder, { recursive: true }));
  const run = (...args: string[]) =>
    new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
      const cli = path.join(__dirname, '..', '..', '..', 'dist', 'cli.js');
      const env = { ...cleanEnvironment(), SERVICE_KEY: KEY };
      const child = execFile(
        process.execPath,
        [cli, 'export', '--url', service.url, ...args],
        { env },
        (_e, out, err) => resolve({ code: child.exitCode, stdout: out, stderr: err }),
      );
    });
  const at = (name: string) => path.join(folder, name);

  test('saves all rows of a query, in the format that the name of the file says', async () => {
    fs.writeFileSync(at('q.json'), JSON.stringify({ ...RANGE, metrics: ['installs'], dimensions: ['campaign'] }));
    const { code, stdout } = await run('--query', at('q.json'), '--out', at('rows.csv'));
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `bytes written to ${at('rows.csv')}: ${fs.statSync(at('rows.csv')).size}\n`,
    });
    expect(fs.readFileSync(at('rows.csv'), 'utf8').trim().split('\n').length).toBe(4);
  });

  test('saves records day by day, and goes on where it stopped', async () => {
    const days = ['2025-05-31', '2025-06-01'];
    const range = ['--from', '2025-05-31', '--to', '2025-06-01', '--out', at('events')];
    // The time of a file is that up to which it is complete: now, once every process has told of itself.
    const age = await eventually('a file is complete up to now', async () => {
      fs.rmSync(at('events'), { recursive: true, force: true });
      const { stdout } = await run('--records', 'app-events', ...range);
      expect(stdout).toBe(`files written to ${at('events')}: 2\n`);
      const age = Date.now() - fs.statSync(at('events/app-events-2025-06-01.ndjson')).mtimeMs;
      return age < 60_000 ? age : undefined;
    });
    expect(age).toBeGreaterThanOrEqual(0);
    expect(fs.readdirSync(at('events')).sort()).toEqual(days.map((day) => `app-events-${day}.ndjson`));
    fs.rmSync(at('events/app-events-2025-06-01.ndjson'));
    expect((await run('--records', 'app-events', ...range)).stdout).toBe(`files written to ${at('events')}: 1\n`);
    // Complete up to before the day had ended: more may have come.
    const early = new Date('2025-05-31T20:00:00Z');
    fs.utimesSync(at('events/app-events-2025-05-31.ndjson'), early, early);
    expect((await run('--records', 'app-events', ...range)).stdout).toBe(`files written to ${at('events')}: 1\n`);
  });

  test.each([
    [['--out', 'x.csv'], 'Name either --query or --records.'],
    [['--records', 'clicks', '--from', '2025-02-30', '--to', '2025-03-01', '--out', 'x'], /^--from and --to take days/],
    [['--records', 'secrets', '--from', '2025-02-01', '--to', '2025-02-01', '--out', 'x'], /no export of that name/],
  ])('%j is refused in one sentence, and leaves no file', async (args, message) => {
    const { code, stderr } = await run(...args.map((arg) => (arg.startsWith('x') ? at(arg) : arg)));
    expect(code).toBe(1);
    const sentence = stderr.replace(/^adtrail: /, '').trim();
    expect(sentence).toEqual(typeof message === 'string' ? message : (expect.stringMatching(message) as string));
    expect(fs.existsSync(at('x.csv'))).toBe(false);
  });
});

describe('exports of records', () => {
  const today = new Date().toISOString().slice(0, 10);
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  const get = (kind: string, query: string, headers: Record<string, string> = {}) =>
    service.request(`/api/v1/export/${kind}?${query}`, { headers: { 'service-key': KEY, ...headers } });
  // The records of this suite were received since yesterday, whenever midnight is.
  const range = `from=${yesterday}&to=${today}`;

  test('each event once, in every format', async () => {
    const lines = (await (await get('app-events', range)).text()).trim().split('\n');
    const events = lines.map((line) => JSON.parse(line) as { event_id: string; amount: number | null });
    expect(new Set(events.map((one) => one.event_id)).size).toBe(3 * INSTALLS);
    expect(events.length).toBe(3 * INSTALLS);
    expect(events.filter((one) => one.amount !== null).map((one) => one.amount)).toEqual(
      Array.from({ length: INSTALLS }, () => 10.1),
    );
    for (const kind of ['app-events', 'installs']) {
      const completeUntil = Date.parse((await get(kind, range)).headers.get('complete-until') ?? '');
      expect(completeUntil).toBeGreaterThan(Date.parse(yesterday));
      expect(completeUntil).toBeLessThanOrEqual(Date.now());
    }
    const csv = (await (await get('app-events', `${range}&format=csv`)).text()).trim().split('\n');
    expect(csv.length).toBe(1 + 3 * INSTALLS);
    expect(csv[0]).toMatch(/^project_id,install_id,id,event_id,type,time,/);
    const parquet = await get('app-events', range, { Accept: 'application/vnd.apache.parquet' });
    const rows = await readParquet(await parquet.arrayBuffer());
    expect(rows.length).toBe(3 * INSTALLS);
  });

  test('times as RFC 3339 has them', async () => {
    const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
    const lines = (await (await get('installs', range)).text()).trim().split('\n');
    for (const line of lines) expect((JSON.parse(line) as Json).received_at).toMatch(time);
    const rows = parse<Json>(await (await get('installs', `${range}&format=csv`)).text(), { columns: true });
    for (const row of rows) expect(row.received_at).toMatch(time);
  });

  test('spend digit by digit, installs with the names of their campaigns', async () => {
    const spend = (await (await get('spend', range, { Accept: 'text/csv' })).text()).trim().split('\n');
    const column = (spend[0] as string).split(',').indexOf('spend');
    expect((spend[1] as string).split(',')[column]).toBe('7.5');
    const text = await (await get('installs', `${range}&format=csv`)).text();
    expect(text).toContain(`,${DANGEROUS},`);
    expect(text).not.toContain(`'${DANGEROUS}`);
    expect(text.trim().split('\n').length).toBe(1 + INSTALLS);
  });

  test('values as they were sent, which join with those of the sender; IDs as texts in Parquet', async () => {
    const sent = ['-tid', '+tid', '@tid', '=1+1', "'tid", '\uff1d1', 'ü 🎈 \u00a0', 'a"b,c;d', '00012', '1e5', '1.0'];
    for (const tid of sent) {
      const params = new URLSearchParams({ c: 'abroad', tid, s2: tid, s3: 'as sent', gaid: GAID, ip: '203.0.113.9' });
      const answer = await service.request(`/v1/click/com.query.abroad?${params.toString()}`, {
        headers: { 'X-Service-Token': own('token') },
      });
      expect([tid, answer.status]).toEqual([tid, 200]);
    }
    const file = (format: string, more = '') =>
      service.request(`/api/v1/export/clicks?${range}&format=${format}${more}`, {
        headers: { 'service-key': own('abroad') },
      });
    const ours = (rows: Json[]) => rows.filter(({ s3 }) => s3 === 'as sent');
    const lines = await eventually('the clicks are there', async () => {
      const rows = ours(
        (await (await file('ndjson')).text())
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as Json),
      );
      return rows.length === sent.length ? rows : undefined;
    });
    const byTid = (rows: Json[]) => new Map(ours(rows).map((row) => [row.tid, row]));
    const [ndjson, csv, parquet] = [
      byTid(lines),
      byTid(parse(await (await file('csv')).text(), { columns: true })),
      byTid(await readParquet(await (await file('parquet')).arrayBuffer())),
    ];
    for (const rows of [ndjson, csv, parquet]) expect([...rows.keys()].sort()).toEqual([...sent].sort());
    for (const tid of sent) {
      const { click_id } = ndjson.get(tid) as Json;
      for (const rows of [ndjson, csv, parquet])
        expect(rows.get(tid)).toMatchObject({ tid, s2: tid, click_id, gaid: GAID, campaign_name: 'Abroad' });
    }
    const marked = Buffer.from(await (await file('csv', '&bom=true')).arrayBuffer());
    expect(marked.subarray(0, 3).toString('hex')).toBe('efbbbf');
    // The rows of an export have no order.
    const [header, ...rows] = marked.toString().slice(1).split(/\r?\n/);
    const [plainHeader, ...plainRows] = (await (await file('csv')).text()).split(/\r?\n/);
    expect([header, ...rows.sort()]).toEqual([plainHeader, ...plainRows.sort()]);
  });

  test('each kind in Parquet has types that every reader of it knows', async () => {
    for (const kind of ['clicks', 'impressions', 'installs', 'app-events', 'web-events', 'spend', 'postbacks']) {
      const types = await readParquetTypes(await (await get(kind, `${range}&format=parquet`)).arrayBuffer());
      expect([kind, types.length > 5]).toEqual([kind, true]);
      const known = [
        'STRING',
        'UTF8',
        'INTEGER',
        'DECIMAL',
        'TIMESTAMP',
        'DATE',
        'INT64',
        'INT32',
        'DOUBLE',
        'BOOLEAN',
      ];
      expect([kind, types.filter(([, type]) => !known.includes(type))]).toEqual([kind, []]);
      for (const [name, type] of types)
        if (
          /(?:^|_)id$|^(?:gaid|idfa|tid|s2)$/.test(name) &&
          !/^(?:project|campaign|partner|link_campaign|destination)_id$/.test(name)
        )
          expect([kind, name, type]).toEqual([kind, name, 'STRING']);
    }
    const installed = await readParquet(await (await get('installs', `${range}&format=parquet`)).arrayBuffer());
    expect(installed).toHaveLength(INSTALLS);
  });

  test.each(['impressions', 'ctv-impressions', 'web-events'])('%s, of which there are none', async (kind) => {
    const response = await get(kind, range);
    expect({ status: response.status, text: await response.text() }).toEqual({ status: 200, text: '' });
    expect((await (await get(kind, `${range}&format=csv`)).text()).trim().split('\n').length).toBe(1);
  });

  test('other days, and other projects, are left out', async () => {
    expect(await (await get('app-events', 'from=2025-06-01&to=2025-06-30')).text()).toBe('');
    const other = await service.request(`/api/v1/export/app-events?${range}`, {
      headers: { 'service-key': own('empty') },
    });
    expect(await other.text()).toBe('');
  });

  test.each([
    ['clicks', '', 400, 'from is missing: a day of receipt, UTC, written YYYY-MM-DD.'],
    ['clicks', 'from=2025-02-30&to=2025-03-01', 400, "Invalid from '2025-02-30'. A date is written YYYY-MM-DD."],
    ['clicks', 'from=2025-03-02&to=2025-03-01', 400, 'from must not be after to.'],
    ['clicks', 'from=2025-01-01&to=2025-02-01', 400, 'from and to must be at most 31 days apart, both included.'],
    ['clicks', 'from=2025-01-01&to=2025-01-01&format=exe', 400, /^Unknown format 'exe'/],
    ['secrets', 'from=2025-01-01&to=2025-01-01', 404, /^There is no export of that name\. Legal: clicks, /],
  ] as [string, string, number, string | RegExp][])('%s?%s is refused', async (kind, query, status, msg) => {
    const response = await get(kind, query);
    expect({ status: response.status, body: (await response.json()) as Json }).toEqual({
      status,
      body: { msg: typeof msg === 'string' ? msg : (expect.stringMatching(msg) as string), status },
    });
  });
});
