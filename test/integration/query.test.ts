/** `POST /api/v1/reporting/query` and `GET /api/v1/export/...` (docs/contract.md, Queries and Exports). */
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { decided, postEvents, putSpend, report } from '../support/app-report';
import type { Json } from '../support/collect-client';
import { ownNames } from '../support/own-names';
import { readParquet } from '../support/parquet';
import { ask, postQuery, type QueryAnswer } from '../support/query';
import { idByName } from '../support/s2s-client';
import { cleanEnvironment, eventually, temporaryFolder } from '../support/service';
import { sharedService, startBeside } from '../support/shared-service';

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
const rowsOf = ({ results }: QueryAnswer) => results.map(({ dimensions, metrics }) => [...dimensions, ...metrics]);

describe('what is answered', () => {
  test('figures by campaign, with what each is called, totals and the rest of the answer', async () => {
    const answer = await ask(service, KEY, {
      ...RANGE,
      metrics: ['installs', 'revenue', 'spend', 'roas', 'ltv_d0', 'ltv_d2', 'roas_d2', 'impressions'],
      dimensions: ['campaign'],
      order_by: [['campaign', 'asc']],
      include: ['totals', 'organic'],
    });
    expect(answer.body).toMatchObject({
      results: [
        { dimensions: ['formula'], labels: [DANGEROUS], metrics: [4, 40.4, 0, null, 0, 10.1, null, 0] },
        { dimensions: ['organic'], labels: ['Organic'], metrics: [4, 40.4, 0, null, 0, 10.1, null, 0] },
        { dimensions: ['spring'], labels: ['Spring'], metrics: [4, 40.4, 7.5, 5.39, 0, 10.1, 5.39, 1000] },
      ],
      totals: [12, 121.2, 7.5, 16.16, 0, 10.1, 16.16, 1000],
      meta: { rows: 3, currency: 'EUR', timezone: 'Europe/Berlin' },
      query: { source: 'app', view: 'user_acquisition', from: '2025-06-01', limit: 1000, offset: 0, filters: [] },
    });
    expect(answer.meta).toHaveProperty('cohorts_mature_until');
    expect(Date.parse(answer.meta.complete_until as string)).toBeGreaterThan(Date.now() - 3_600_000);
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
    expect(rowsOf(answer)).toEqual(
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
    expect(rowsOf(answer)).toEqual([
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
    expect(rowsOf(answer)).toEqual([
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
    expect(rowsOf(clicks)).toEqual([
      ['US', 2],
      ['DE', 1],
    ]);
    expect(
      await service.rows(
        `SELECT country, device_type, os_name FROM analytics.clicks WHERE tid = 'us1' AND gaid = '${GAID}'`,
      ),
    ).toEqual([{ country: 'US', device_type: '', os_name: '' }]);
  });

  test('filters: texts as they are, parts in any case, each operator', async () => {
    const asking = async (filter: unknown) =>
      rowsOf(await ask(service, KEY, { ...RANGE, metrics: ['installs'], dimensions: ['campaign'], filters: [filter] }))
        .map(([campaign]) => campaign)
        .sort();
    expect(await asking(['is', 'campaign', ['spring', 'SPRING', 'organic']])).toEqual(['organic', 'spring']);
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
      rowsOf(await ask(service, KEY, { ...RANGE, metrics: ['installs'], dimensions: [dimension] }));
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
    expect(rowsOf(answer).slice(91, 91 + 4)).toEqual([
      ['2025-06-02', '0', 7, 7, 0],
      ['2025-06-02', '1', 7, 7, 0],
      ['2025-06-02', '2', 7, 7, 70.7],
      ['2025-06-02', '3', 7, 0, 0],
    ]);
    expect(rowsOf(answer)[10]).toEqual(['2025-05-26', '10', 1, 0, 0]);
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
    expect(answer.results.map(({ dimensions, comparison }) => [...dimensions, ...(comparison ?? [])])).toEqual([
      ['2025-06-07', 1, 0],
      ['2025-06-08', 1, 0],
      ['2025-06-09', 1, 0],
      ['2025-06-10', 1, 0],
    ]);
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

describe('what is refused', () => {
  const good = { ...RANGE, metrics: ['installs'] };
  const cases: [string, unknown, string | RegExp][] = [
    ['no metrics', { ...RANGE }, /metrics/],
    ['an unknown field', { ...good, metric: 'x' }, /metric/],
    ['an unknown source', { ...good, source: 'tv' }, /source/],
    ['an unknown metric', { ...good, metrics: ['instals'] }, /^Unknown metric: "instals"\. Legal: clicks, .*ltv_dN/],
    ['a day beyond the last', { ...good, metrics: ['retention_d91'] }, /^Unknown metric: "retention_d91"/],
    ['a name of every object', { ...good, metrics: ['constructor'] }, /^Unknown metric: "constructor"/],
    ['a metric twice', { ...good, metrics: ['installs', 'installs'] }, 'metrics names "installs" twice.'],
    ['an unknown dimension', { ...good, dimensions: ['planet'] }, /^Unknown dimension: "planet"\. Legal: campaign, /],
    ['five dimensions', { ...good, dimensions: ['day', 'week', 'month', 'ad', 'app'] }, /dimensions/],
    [
      'a metric that has no such dimension',
      { ...good, metrics: ['spend'], dimensions: ['rule'] },
      /^spend cannot be asked for by rule; it can by campaign, network, /,
    ],
    [
      'a ratio of which one part has no such dimension',
      { ...good, metrics: ['cpi'], dimensions: ['hour'] },
      /^cpi cannot be asked for by hour; it can by campaign, /,
    ],
    [
      'a filter that a metric does not have',
      { ...good, metrics: ['clicks'], filters: [['is', 'touch_type', ['click']]] },
      /^clicks cannot be asked for filtered by touch_type; it can by campaign_name, /,
    ],
    ['a filter on days', { ...good, filters: [['is', 'day', ['2025-06-01']]] }, /^filters\[0\]: day has no filter/],
    ['an unknown operator', { ...good, filters: [['like', 'campaign', ['a']]] }, /^Unknown operator in filters\[0\]/],
    [
      'a filter without values',
      { ...good, filters: [['is', 'campaign', []]] },
      /^filters\[0\]: the third item must be/,
    ],
    ['values that are no texts', { ...good, filters: [['is', 'campaign', [1]]] }, /filters/],
    ['a filter that is none', { ...good, filters: ['campaign'] }, /filters/],
    ['a day that does not exist', { ...good, from: '2025-02-30' }, /from/],
    ['a range that ends before it begins', { ...good, to: '2025-05-01' }, 'from must not be after to.'],
    ['an unknown comparison', { ...good, compare: 'yesterday' }, /^compare must be one of previous_period/],
    ['a comparison without days', { ...good, compare: { from: '2025-01-01' } }, /^compare must be/],
    ['an order by what is not asked for', { ...good, order_by: [['clicks', 'asc']] }, /^Unknown name in order_by\[0\]/],
    ['an unknown direction', { ...good, order_by: [['installs', 'up']] }, /^Unknown direction in order_by\[0\]/],
    ['too large a page', { ...good, limit: 10_001 }, /limit/],
    ['a body that is no object', [], /JSON/],
  ];
  test.each(cases)('%s', async (_what, body, message) => {
    const answer = await postQuery(service, KEY, body);
    expect({ status: answer.status, msg: answer.body.msg }).toEqual({
      status: 400,
      msg: typeof message === 'string' ? message : (expect.stringMatching(message) as string),
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

  test('more questions than LIMIT_QUERY allows, each key for itself', async () => {
    const limited = await startBeside(service, { LIMIT_QUERY: '3/60s', LIMIT_IP: 'off' });
    try {
      await limited.apply(document);
      const bad = { ...good, metrics: ['nothing'] };
      expect((await postQuery(limited, KEY, bad)).status).toBe(400);
      for (let i = 0; i < 3; i++) await ask(limited, KEY, good);
      const answer = await postQuery(limited, KEY, good);
      expect(answer.status).toBe(429);
      expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(60);
      await ask(limited, own('empty'), good);
    } finally {
      await limited.dispose();
    }
  });
});

describe('files', () => {
  const question = {
    ...RANGE,
    metrics: ['installs', 'revenue', 'roas'],
    dimensions: ['campaign', 'month'],
    order_by: [['campaign', 'asc']],
  };
  const get = (more: string, headers: Record<string, string> = {}) =>
    service.request(`/api/v1/reporting/query${more}`, {
      method: 'POST',
      headers: { 'service-key': KEY, ...headers },
      body: JSON.stringify({ ...question, limit: 1 }),
    });

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
      service.request(`/api/v1/reporting/query?format=${format}`, {
        method: 'POST',
        headers: { 'service-key': own('empty') },
        body: JSON.stringify(question),
      });
    expect(await (await empty('csv')).text()).toBe('campaign,campaign_name,month,installs,revenue,roas\n');
    expect(await (await empty('ndjson')).text()).toBe('');
    expect(await readParquet(await (await empty('parquet')).arrayBuffer())).toEqual([]);
  });

  test('an unknown format, and a comparison, are refused', async () => {
    expect(await (await get('?format=xls')).json()).toEqual({
      msg: "Unknown format 'xls'. Legal: json, csv, ndjson, parquet.",
      status: 400,
    });
    const compared = await service.request('/api/v1/reporting/query?format=csv', {
      method: 'POST',
      headers: { 'service-key': KEY },
      body: JSON.stringify({ ...question, compare: 'previous_period' }),
    });
    expect(compared.status).toBe(400);
  });
});

describe('adtrail export', () => {
  const folder = temporaryFolder();
  afterAll(() => fs.rmSync(folder, { recursive: true }));
  const run = (...args: string[]) =>
    new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
      const cli = path.join(__dirname, '..', '..', 'dist', 'cli.js');
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

  test('spend digit by digit, installs with the names of their campaigns', async () => {
    const spend = (await (await get('spend', range, { Accept: 'text/csv' })).text()).trim().split('\n');
    const column = (spend[0] as string).split(',').indexOf('spend');
    expect((spend[1] as string).split(',')[column]).toBe('7.5');
    const text = await (await get('installs', `${range}&format=csv`)).text();
    expect(text).toContain(`'${DANGEROUS}`);
    expect(text.trim().split('\n').length).toBe(1 + INSTALLS);
  });

  test.each(['clicks', 'impressions', 'ctv-impressions', 'web-events'])('%s, of which there are none', async (kind) => {
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
