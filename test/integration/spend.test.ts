/**
 * `PUT /collect/v1/spend` (docs/contract.md, Collectors): checked row by row, durable, restated and never summed twice.
 */
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { idByName } from '../support/s2s-client';
import { cleanEnvironment, root, startService, type RunningService } from '../support/service';

const KEY = 'server-key-of-the-shop';
let service: RunningService;
let projectId: number;
beforeAll(async () => {
  service = await startService();
  await service.apply({
    accounts: [{ name: 'Acme' }],
    partners: [{ name: 'Mobi Ads' }],
    projects: [
      {
        name: 'Shop',
        account: 'Acme',
        timezone: 'Asia/Kolkata',
        server_keys: [KEY],
        network_accounts: [
          { network: 'META', external_customer_id: 'act_1' },
          { network: 'APPLE_SEARCH_ADS', external_customer_id: 'asa_1' },
        ],
        campaigns: [
          { display_id: 'partner1', name: 'Partner one', partner: 'Mobi Ads' },
          {
            display_id: 'synced1',
            name: 'Ours',
            network: 'META',
            network_campaign_id: '500',
            network_account: 'act_1',
          },
        ],
      },
      {
        name: 'Other',
        account: 'Acme',
        timezone: 'UTC',
        server_keys: ['other-key'],
        campaigns: [{ display_id: 'others1', name: 'Others' }],
      },
    ],
  });
  projectId = await idByName(service, 'projects', 'Shop');
});
afterAll(() => service.dispose());

interface Answer {
  status: number;
  body: Record<string, unknown>;
}
async function put(body: unknown, headers: Record<string, string> = {}, key = KEY): Promise<Answer> {
  const response = await service.request('/collect/v1/spend', {
    method: 'PUT',
    headers: { 'service-key': key, 'Content-Type': 'application/json', ...headers },
    body: typeof body === 'string' || body instanceof Uint8Array ? (body as string) : JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}
let day = 0;
/** A day that no other test uses. */
const newDay = () => new Date(Date.UTC(2025, 0, 1) + 86_400_000 * day++).toISOString().slice(0, 10);
const row = (more: Record<string, unknown> = {}) => ({
  date: '2026-01-01',
  network: 'META',
  account: 'act_1',
  campaign_id: '500',
  impressions: 10,
  clicks: 2,
  spend: 1.5,
  currency: 'USD',
  ...more,
});
const stored = (date: string, columns = '*') =>
  service.rows(
    `SELECT ${columns}
     FROM analytics.ad_spend
     WHERE project_id = ${projectId} AND date = '${date}'
     ORDER BY ad_set_id, ad_id, keyword_id, platform`,
  );
const daySpend = async (date: string) =>
  (
    await service.rows<{ s: string }>(
      `SELECT concat(toString(spend), ' ', currency) AS s
       FROM adtrail.spend_by_campaign_day
       WHERE project_id = ${projectId} AND date = '${date}'
       ORDER BY s`,
    )
  ).map((one) => one.s);
const campaigns = async () =>
  (await service.admin('GET', `/projects/${projectId}/campaigns?limit=1000`)).body.campaigns as Record<
    string,
    unknown
  >[];

test('a row with every field is stored as it was sent, and shown with its campaign', async () => {
  const date = newDay();
  const sent = {
    ...row({ date }),
    campaign_name: 'Ignored: the campaign has a name',
    ad_set_id: 's1',
    ad_set_name: 'Set "1"',
    ad_id: 'a1',
    ad_name: "Ad 'ü'",
    keyword_id: '',
    keyword_name: '',
    platform: 'ios',
    impressions: 1234,
    clicks: 56,
    spend: '12.345678901',
    currency: 'inr',
  };
  expect(await put({ rows: [sent] })).toEqual({ status: 200, body: { accepted: 1, rejected: [] } });
  const ours = (await campaigns()).find((one) => one.display_id === 'synced1');
  expect(
    await stored(
      date,
      '* EXCEPT (received_at, campaign_name, campaign_display_id, spend), toString(spend) AS spend, ' +
        'received_at > now() - 60 AS recent',
    ),
  ).toEqual([
    {
      project_id: projectId,
      campaign_id: ours?.id,
      date,
      network: 'META',
      account: 'act_1',
      network_campaign_id: '500',
      ad_set_id: 's1',
      ad_set_name: 'Set "1"',
      ad_id: 'a1',
      ad_name: "Ad 'ü'",
      keyword_id: '',
      keyword_name: '',
      platform: 'IOS',
      impressions: 1234,
      clicks: 56,
      spend: '12.345678901',
      currency: 'INR',
      custom_channel: '',
      recent: 1,
    },
  ]);
});

test('a row replaces the earlier one of the same keys, in one request or in several', async () => {
  const date = newDay();
  await put({ rows: [row({ date, spend: 1 }), row({ date, spend: 2 })] });
  expect(await daySpend(date)).toEqual(['2 USD']);
  for (const [spend, currency] of [
    [3, 'USD'],
    [4.25, 'EUR'],
    [0, 'EUR'],
  ] as const) {
    await put({ rows: [row({ date, spend, currency })] });
    expect(await daySpend(date)).toEqual([`${spend} ${currency}`]);
  }
  // The other keys make another row.
  await put({ rows: [row({ date, spend: 5, platform: 'IOS' }), row({ date, spend: 6, platform: 'ANDROID' })] });
  expect(await stored(date)).toHaveLength(3);
});

test.each([
  ['its own row where there is nothing else', [row({ spend: 9 })], '9'],
  [
    'its ad sets, not its own row',
    [row({ spend: 9 }), row({ ad_set_id: 'a', spend: 2 }), row({ ad_set_id: 'b', spend: 3 })],
    '5',
  ],
  [
    'ads before the row of their ad set, where there are any',
    [
      row({ spend: 9 }),
      row({ ad_set_id: 'a', spend: 2 }),
      row({ ad_set_id: 'a', ad_id: '1', spend: 4 }),
      row({ ad_set_id: 'a', ad_id: '2', spend: 4 }),
      row({ ad_set_id: 'b', spend: 3 }),
    ],
    '11',
  ],
  [
    'keywords where there are no ads',
    [
      row({ ad_set_id: 'a', spend: 2 }),
      row({ ad_set_id: 'a', keyword_id: 'k1', spend: 0.5 }),
      row({ ad_set_id: 'a', keyword_id: 'k2', spend: 0.75 }),
    ],
    '1.25',
  ],
  [
    'ads before keywords',
    [
      row({ ad_set_id: 'a', spend: 2 }),
      row({ ad_set_id: 'a', keyword_id: 'k1', spend: 0.5 }),
      row({ ad_set_id: 'a', ad_id: '1', spend: 7 }),
    ],
    '7',
  ],
  [
    'an ad by keyword instead of the whole ad',
    [
      row({ ad_set_id: 'a', ad_id: '1', spend: 7 }),
      row({ ad_set_id: 'a', ad_id: '1', keyword_id: 'k1', spend: 3 }),
      row({ ad_set_id: 'a', ad_id: '1', keyword_id: 'k2', spend: 5 }),
    ],
    '8',
  ],
])('the day of a campaign is the sum of %s', async (_, rows, sum) => {
  const date = newDay();
  expect((await put({ rows: rows.map((one) => ({ ...one, date })) })).body).toEqual({
    accepted: rows.length,
    rejected: [],
  });
  expect(await daySpend(date)).toEqual([`${sum} USD`]);
});

test('a scope of one platform sees the levels of its own rows', async () => {
  const date = newDay();
  await put({
    rows: [
      row({ date, spend: 9, platform: 'IOS' }),
      row({ date, ad_set_id: 'a', spend: 2 }),
      row({ date, ad_set_id: 'a', spend: 3, platform: 'ANDROID' }),
    ],
  });
  const scopes = await service.rows(
    `SELECT scope, toString(sum(spend)) AS spend
     FROM adtrail.counted_spend
     WHERE project_id = ${projectId} AND date = '${date}'
     GROUP BY scope
     ORDER BY scope`,
  );
  expect(scopes).toEqual([
    { scope: '', spend: '5' },
    { scope: 'ANDROID', spend: '3' },
    { scope: 'IOS', spend: '9' },
  ]);
});

test('an unknown campaign of a network becomes a synced one, once, under its name', async () => {
  const rows = Array.from({ length: 20 }, (_, i) =>
    row({ campaign_id: `new-${i % 2}`, campaign_name: `New ${i % 2}`, ad_set_id: `s${i}` }),
  );
  await Promise.all(Array.from({ length: 5 }, () => put({ rows })));
  const made = (await campaigns()).filter((one) => String(one.network_campaign_id).startsWith('new-'));
  expect(made).toHaveLength(2);
  expect(made.map((one) => [one.name, one.network, one.network_campaign_id]).sort()).toEqual([
    ['New 0', 'META', 'new-0'],
    ['New 1', 'META', 'new-1'],
  ]);
});

test('without a network campaign_id is a display_id, and the account may be absent', async () => {
  const date = newDay();
  const partner = { date, campaign_id: 'partner1', spend: 10, currency: 'USD' };
  expect(
    (
      await put({
        rows: [
          partner,
          { ...partner, network: '', account: '', platform: 'android' },
          { ...partner, campaign_id: 'others1' },
          { ...partner, campaign_id: 'nobody' },
          { ...partner, account: 'act_9' },
        ],
      })
    ).body,
  ).toEqual({
    accepted: 2,
    rejected: [
      { index: 2, reason: 'unknown_campaign', field: 'campaign_id' },
      { index: 3, reason: 'unknown_campaign', field: 'campaign_id' },
      { index: 4, reason: 'unknown_account', field: 'account' },
    ],
  });
  expect(await daySpend(date)).toEqual(['20 USD']);
});

test.each<[string, Record<string, unknown>, string, string]>([
  ['no date', { date: undefined }, 'missing_field', 'date'],
  ['a date that does not exist', { date: '2026-02-30' }, 'invalid_field', 'date'],
  ['a date in another form', { date: '31-08-2023' }, 'invalid_field', 'date'],
  ['a date before all', { date: '1900-01-01' }, 'invalid_field', 'date'],
  ['a time', { date: '2026-01-01T00:00:00Z' }, 'invalid_field', 'date'],
  ['no account', { account: undefined }, 'missing_field', 'account'],
  ['an account that is unknown', { account: 'act_2' }, 'unknown_account', 'account'],
  ['no campaign', { campaign_id: null }, 'missing_field', 'campaign_id'],
  ['a campaign that is an object', { campaign_id: {} }, 'invalid_field', 'campaign_id'],
  ['a campaign with a NUL', { campaign_id: 'a\0b' }, 'invalid_field', 'campaign_id'],
  ['half a surrogate pair', { ad_name: '\ud800' }, 'invalid_field', 'ad_name'],
  ['an ID that is too long', { ad_id: 'x'.repeat(256) }, 'invalid_field', 'ad_id'],
  ['a network that is none', { network: "META'; DROP" }, 'invalid_field', 'network'],
  ['a platform that is none', { platform: 'web' }, 'invalid_field', 'platform'],
  ['no spend', { spend: '' }, 'missing_field', 'spend'],
  ['spend below zero', { spend: -1 }, 'invalid_field', 'spend'],
  ['spend that is no number', { spend: '1,5' }, 'invalid_field', 'spend'],
  ['spend beyond all money', { spend: 1e20 }, 'invalid_field', 'spend'],
  ['no currency', { currency: undefined }, 'missing_field', 'currency'],
  ['a currency that is none', { currency: 'DOLLAR' }, 'invalid_field', 'currency'],
  ['clicks that are no whole number', { clicks: 1.5 }, 'invalid_field', 'clicks'],
  ['impressions below zero', { impressions: -1 }, 'invalid_field', 'impressions'],
  ['a row over 64 kB', { more: 'x'.repeat(70_000) }, 'too_large', ''],
])('%s is told, and the rows beside it are taken', async (_, bad, reason, field) => {
  const date = newDay();
  expect((await put({ rows: [row({ date }), row({ date, ...bad }), row({ date, ad_set_id: 'x' })] })).body).toEqual({
    accepted: 2,
    rejected: [{ index: 1, reason, field }],
  });
  expect(await stored(date)).toHaveLength(2);
});

test('rows that are no objects are named too', async () => {
  expect((await put({ rows: [null, 'x', [1]] })).body).toEqual({
    accepted: 0,
    rejected: [0, 1, 2].map((index) => ({ index, reason: 'invalid_field', field: '' })),
  });
});

test('CSV: with a header, quotes, a byte order mark, blank cells and gzip', async () => {
  const date = newDay();
  const text =
    '\ufeffdate,network,account,campaign_id,ad_set_id,ad_set_name,impressions,clicks,spend,currency,ignored\r\n' +
    `${date},meta,act_1,500,c1,"One, ""two""",100,3,1.429999948,USD,x\r\n\r\n` +
    `${date},META,act_1,500,c2,,,,0.10,USD,\n${date},META,act_9,500,c2,,,,0.10,USD,\n`;
  const answer = {
    status: 200,
    body: { accepted: 2, rejected: [{ index: 2, reason: 'unknown_account', field: 'account' }] },
  };
  expect(await put(text, { 'Content-Type': 'text/csv' })).toEqual(answer);
  expect(await put(gzipSync(text), { 'Content-Type': 'text/csv; charset=utf-8', 'Content-Encoding': 'gzip' })).toEqual(
    answer,
  );
  expect(await stored(date, 'ad_set_id, ad_set_name, impressions, toString(spend) AS spend')).toEqual([
    { ad_set_id: 'c1', ad_set_name: 'One, "two"', impressions: 100, spend: '1.429999948' },
    { ad_set_id: 'c2', ad_set_name: '', impressions: 0, spend: '0.1' },
  ]);
});

test('bodies of another form, too many rows and foreign keys are refused as a whole', async () => {
  expect((await put('{"rows": 1}')).status).toBe(400);
  expect((await put('[]')).status).toBe(400);
  expect((await put('nonsense')).status).toBe(400);
  expect((await put('a,b\n"x', { 'Content-Type': 'text/csv' })).status).toBe(400);
  expect((await put({ rows: Array.from({ length: 10_001 }, () => 1) })).status).toBe(413);
  expect((await put(`date\n${'x\n'.repeat(10_001)}`, { 'Content-Type': 'text/csv' })).status).toBe(413);
  expect(await put({ rows: [] }, {}, 'nobody')).toEqual({
    status: 401,
    body: { msg: 'Unauthorized access.', status: 401 },
  });
  expect(await put({ rows: [] })).toEqual({ status: 200, body: { accepted: 0, rejected: [] } });
  expect((await service.request('/collect/v1/spend', { method: 'POST', headers: { 'service-key': KEY } })).status).toBe(
    405,
  );
});

test('10,000 rows are taken at once, and what was answered is there after the process is killed', async () => {
  const date = newDay();
  const rows = Array.from({ length: 10_000 }, (_, i) =>
    row({ date, ad_set_id: `s${i % 100}`, ad_id: `a${i}`, spend: '0.01' }),
  );
  expect(await put({ rows })).toEqual({ status: 200, body: { accepted: 10_000, rejected: [] } });
  await service.kill();
  await service.restart();
  await put({ rows: [row({ date, ad_set_id: 's0', ad_id: 'a0', spend: '5.01' })] });
  expect(await daySpend(date)).toEqual(['105 USD']);
});

test('adtrail import spend sends a file, prints what is refused, and may be run again', async () => {
  const [date, file] = [newDay(), path.join(service.dataDir, 'spend.csv')];
  const lines = Array.from({ length: 6_000 }, (_, i) => `${date},META,act_1,500,s${i},0.01,USD`);
  lines[5_500] = `${date},META,act_9,500,s5500,0.01,USD`;
  fs.writeFileSync(file, `date,network,account,campaign_id,ad_set_id,spend,currency\n${lines.join('\n')}\n`);
  const run = (...args: string[]) =>
    new Promise<{ code: number | null; out: string; err: string }>((resolve) => {
      execFile(
        process.execPath,
        [path.join(root, 'dist', 'cli.js'), 'import', 'spend', file, '--url', service.url, ...args],
        { env: cleanEnvironment() },
        (error, out, err) => resolve({ code: error ? Number(error.code) : 0, out, err }),
      );
    });
  for (let i = 0; i < 2; i++) {
    const { code, out, err } = await run('--key', KEY);
    expect({ code, out, err: err.split('\n').filter((line) => line.startsWith('row ')) }).toEqual({
      code: 1,
      out: '5999 rows accepted, 1 rejected\n',
      err: ['row 5501: unknown_account account'],
    });
    expect(await daySpend(date)).toEqual(['59.99 USD']);
  }
  expect(await run('--key', 'nobody')).toMatchObject({
    code: 1,
    err: expect.stringContaining('Unauthorized access.') as string,
  });
});

describe('a file that somebody uploads', () => {
  const upload = async (csv: string, query = '') => {
    const response = await service.request(`/collect/v1/spend/csv${query}`, {
      method: 'POST',
      headers: { 'service-key': KEY, 'Content-Type': 'text/csv' },
      body: csv,
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const HEADER = 'date,network,account,campaign_id,spend,currency';
  const count = async (date: string) =>
    (await service.rows<{ n: number }>(`SELECT count() AS n FROM adtrail.ad_spend WHERE date = '${date}'`))[0]?.n;

  test('is told row by row what is wrong, and stored only when it is no dry run', async () => {
    const date = newDay();
    const csv = [
      HEADER,
      `${date},META,act_1,upload-1,1.5,EUR`,
      '',
      `${date},META,,upload-1,1.5,EUR`,
      `someday,META,act_1,upload-1,1.5,EUR`,
      `${date},META,act_9,upload-1,1.5,EUR`,
      `${date},,,nobody,1.5,EUR`,
      `${date},META,act_1,upload-1,-1,EUR`,
    ].join('\n');
    const rows = [
      { row: 4, field: 'account', msg: 'is required with a network' },
      { row: 5, field: 'date', msg: 'must be a day, written YYYY-MM-DD' },
      { row: 6, field: 'account', msg: 'the project has no network account with this external_customer_id' },
      { row: 7, field: 'campaign_id', msg: expect.stringContaining('no campaign with this display_id') as string },
      { row: 8, field: 'spend', msg: expect.stringContaining('must be an amount') as string },
    ];
    const dry = await upload(csv, '?dry_run=true');
    expect(dry).toEqual({ status: 200, body: { dry_run: true, accepted: 1, refused: 5, rows } });
    expect(await count(date)).toBe(0);
    const campaigns = await service.admin('GET', `/projects/${projectId}/campaigns`);
    expect(JSON.stringify(campaigns.body)).not.toContain('upload-1');
    expect(await upload(csv)).toEqual({ status: 200, body: { dry_run: false, accepted: 1, refused: 5, rows } });
    expect(await count(date)).toBe(1);
  });

  test('lists the first 1,000 refused rows, and counts all', async () => {
    const { body } = await upload([HEADER, ...Array<string>(1_500).fill('x,,,,1,EUR')].join('\n'), '?dry_run=true');
    expect([body.accepted, body.refused, (body.rows as unknown[]).length]).toEqual([0, 1_500, 1_000]);
  });

  test('has the bounds of other files', async () => {
    expect((await upload(HEADER, '?dry_run=maybe')).body.msg).toBe('dry_run: must be true or false');
    expect((await upload([HEADER, ...Array<string>(10_001).fill('x,,,,1,EUR')].join('\n'))).status).toBe(413);
    expect((await upload(Array(201).fill('x').join())).status).toBe(400);
  });
});
