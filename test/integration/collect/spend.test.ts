/**
 * `PUT /collect/v1/spend` (docs/contract/collectors.md): durable, restated and never summed twice. Which rows and
 * files are refused is in test/unit/collect/spend-rows.test.ts and spend-file.test.ts.
 */
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { ownNames } from '../../support/workspace/own-names';
import { idByName } from '../../support/s2s/s2s-client';
import { makeSpendFile, readRandom } from '../../support/collect/spend-files';
import { cleanEnvironment, eventually, root, temporaryFolder } from '../../support/service';
import { sharedService } from '../../support/shared-service';

const service = sharedService();
const own = ownNames('spend');
const KEY = own('server-key');
const folder = temporaryFolder();
let projectId: number;
beforeAll(async () => {
  await service.apply(
    own.document({
      accounts: [{ name: 'Acme' }],
      partners: [{ name: 'Mobi Ads' }],
      projects: [
        {
          name: 'Shop',
          account: 'Acme',
          timezone: 'Asia/Kolkata',
          server_keys: ['server-key'],
          apps: [{ platform: 'ANDROID', app_id: 'com.acme.spend' }],
          network_accounts: [
            { network: 'META', external_customer_id: 'act_1' },
            { network: 'apple_search_ads', external_customer_id: 'asa_1' },
            { network: 'GOOGLE', external_customer_id: '123-456-7890' },
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
    }),
  );
  projectId = await idByName(service, 'projects', own('Shop'));
});
afterAll(() => fs.rmSync(folder, { recursive: true }));

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

test('a row replaces the earlier one of the same keys; in one request the second of them is refused', async () => {
  const date = newDay();
  expect((await put({ rows: [row({ date, spend: 1 }), row({ date, spend: 2, network: 'meta' })] })).body).toEqual({
    accepted: 1,
    rejected: [{ index: 1, reason: 'duplicate_row', field: '' }],
  });
  expect(await daySpend(date)).toEqual(['1 USD']);
  for (const [spend, currency] of [
    [3, 'USD'],
    [4.25, 'EUR'],
    [0, 'EUR'],
    [-12.5, 'EUR'],
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

test('a wrong row is told, and the rows beside it are taken', async () => {
  const date = newDay();
  const bad = [row({ date, spend: '1,5' }), row({ date, account: 'act_2' }), null];
  expect((await put({ rows: [row({ date }), ...bad, row({ date, ad_set_id: 'x' })] })).body).toEqual({
    accepted: 2,
    rejected: [
      { index: 1, reason: 'invalid_field', field: 'spend' },
      { index: 2, reason: 'unknown_account', field: 'account' },
      { index: 3, reason: 'invalid_field', field: '' },
    ],
  });
  expect(await stored(date)).toHaveLength(2);
});

test("a synced campaign has its network's latest name, of the latest day, until somebody renames it", async () => {
  const readName = async () => (await campaigns()).find((one) => one.network_campaign_id === 'renamed')?.name;
  const bring = (...names: [string, string][]) =>
    put({ rows: names.map(([date, campaign_name]) => row({ date, campaign_id: 'renamed', campaign_name })) });
  await bring(['2026-01-01', 'First']);
  expect(await readName()).toBe('First');
  await bring(['2026-01-03', 'Third'], ['2026-01-02', 'Second'], ['2026-01-04', '']);
  expect(await readName()).toBe('Third');
  const event = {
    event_id: 'renaming',
    type: 'install',
    time: '2026-01-05T00:00:00Z',
    app_id: 'com.acme.spend',
    install_id: 'renaming',
    attribution: { network: 'meta', network_campaign_id: 'renamed', network_campaign_name: 'Of an install ' },
  };
  const collected = await service.request('/collect/v1/app', {
    method: 'POST',
    headers: { 'service-key': KEY },
    body: JSON.stringify({ events: [event] }),
  });
  expect(await collected.json()).toEqual({ accepted: 1, rejected: [] });
  await eventually('an install renames it', async () => ((await readName()) === 'Of an install' ? true : undefined));
  const displayId = (await campaigns()).find((one) => one.network_campaign_id === 'renamed')?.display_id as string;
  const edited = await service.request(`/api/v1/campaigns/${displayId}`, {
    method: 'PATCH',
    headers: { 'service-key': KEY },
    body: JSON.stringify({ name: 'Ours' }),
  });
  expect(edited.status).toBe(200);
  await bring(['2026-01-06', 'Sixth']);
  expect(await readName()).toBe('Ours');
});

describe('files', () => {
  const HEADER = 'Date;Network;Account;Campaign ID;Campaign name;Spend;Currency';
  const NAME = 'Größe €';
  const csv = (date: string) => `${HEADER}\r\n${date};META;act_1;500;${NAME};1.5;EUR\r\n`;
  const windows = (date: string) => Buffer.from(csv(date).replace('€', '\x80'), 'latin1');
  test.each<[string, string, (date: string) => Buffer]>([
    ['ISO 8859-1, declared', 'text/csv; charset=iso-8859-1', windows],
    ['UTF-16, declared', 'text/csv; charset=utf-16', (date) => Buffer.from(csv(date), 'utf16le')],
    [
      'tabs, after a title',
      'text/tab-separated-values',
      (date) => Buffer.from(`Report; of today\n\n${csv(date).replaceAll(';', '\t')}`),
    ],
  ])('%s', async (_, type, bytes) => {
    const date = newDay();
    expect(await put(bytes(date), { 'Content-Type': type })).toEqual({
      status: 200,
      body: { accepted: 1, rejected: [] },
    });
    expect(await stored(date, 'network_campaign_id, currency, toString(spend) AS spend')).toEqual([
      { network_campaign_id: '500', currency: 'EUR', spend: '1.5' },
    ]);
    const [{ name } = {}] = await service.rows<{ name?: string }>(
      `SELECT campaign_name AS name FROM adtrail.ad_spend WHERE date = '${date}' AND project_id = ${projectId}`,
    );
    expect(name).toBe(NAME);
  });

  test.each<[string, string, Buffer, number, string]>([
    ['windows-1252, not declared', 'text/csv', windows('2025-01-01'), 400, 'The body is no text in utf-8.'],
    ['an unknown charset', 'text/csv; charset=klingon', windows('2025-01-01'), 415, '"klingon"'],
    ['columns of others', 'text/csv', Buffer.from('Day;Cost\n1;2'), 400, 'campaign_id, spend, currency are missing'],
  ])('%s: refused as a whole', async (_, type, bytes, status, message) => {
    expect(await put(bytes, { 'Content-Type': type })).toEqual({
      status,
      body: { status, msg: expect.stringContaining(message) as string },
    });
  });

  test('whatever people paste is stored exactly or refused, as in test/unit/collect/spend-fuzz.test.ts', async () => {
    for (let seed = 1; seed <= 8; seed++) {
      const file = makeSpendFile(readRandom(seed));
      const type = `text/csv${file.charset ? `; charset=${file.charset}` : ''}`;
      const { status, body } = await put(file.bytes, { 'Content-Type': type });
      expect([seed, [200, 400, 415].includes(status)]).toEqual([seed, true]);
      const rows = await service.rows<Record<string, unknown>>(
        `SELECT toString(date) AS date, network, account, network_campaign_id, campaign_name, ad_set_id, currency,
           toUInt32(impressions) AS impressions, toUInt32(clicks) AS clicks, toString(spend * 1000) AS thousandths
         FROM adtrail.ad_spend FINAL
         WHERE network_campaign_id IN (${file.rows.map((one) => `'${one.campaign_id}'`).join()})
           AND network_campaign_id != '' AND project_id = ${projectId}`,
      );
      const truths = file.rows.map(({ campaign_id, campaign_name, thousandths, ...one }) => ({
        ...one,
        network_campaign_id: campaign_id,
        campaign_name: campaign_name.replaceAll('\t', ' '),
        thousandths: String(thousandths),
      }));
      expect([seed, truths]).toEqual([seed, expect.arrayContaining(rows)]);
      expect([seed, rows.length]).toEqual([seed, status === 200 ? body.accepted : 0]);
      if (file.isClean) expect([seed, rows.length]).toEqual([seed, file.rows.length]);
    }
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
  const many = `date,campaign_id,spend,currency\n${'x,,,\n'.repeat(10_001)}`;
  expect((await put(many, { 'Content-Type': 'text/csv' })).status).toBe(413);
  expect(await put({ rows: [] }, {}, 'nobody')).toEqual({
    status: 401,
    body: { msg: 'Unauthorized access.', status: 401 },
  });
  expect(await put({ rows: [] })).toEqual({ status: 200, body: { accepted: 0, rejected: [] } });
  expect((await service.request('/collect/v1/spend', { method: 'POST', headers: { 'service-key': KEY } })).status).toBe(
    405,
  );
});

test('10,000 rows are taken at once, and one of them sent again replaces it', async () => {
  const date = newDay();
  const rows = Array.from({ length: 10_000 }, (_, i) =>
    row({ date, ad_set_id: `s${i % 100}`, ad_id: `a${i}`, spend: '0.01' }),
  );
  expect(await put({ rows })).toEqual({ status: 200, body: { accepted: 10_000, rejected: [] } });
  await put({ rows: [row({ date, ad_set_id: 's0', ad_id: 'a0', spend: '5.01' })] });
  expect(await daySpend(date)).toEqual(['105 USD']);
});

const importSpend = (file: string, ...args: string[]) =>
  new Promise<{ code: number | null; out: string; err: string }>((resolve) => {
    execFile(
      process.execPath,
      [path.join(root, 'dist', 'cli.js'), 'import', 'spend', file, '--url', service.url, ...args],
      { env: cleanEnvironment() },
      (error, out, err) => resolve({ code: error ? Number(error.code) : 0, out, err }),
    );
  });

test('adtrail import spend reads files as people have them: charset, separator, rows that come twice', async () => {
  const [date, file] = [newDay(), path.join(folder, 'windows.csv')];
  const lines = Array.from({ length: 3_000 }, (_, i) => `${date};META;act_1;500;Gr\xf6\xdfe;s${i};0.01;USD`);
  lines[2_900] = `${date};META;act_1;500;x;s0;5;USD`;
  lines[2_901] = `${date};META;act_1;500;x;s2901;1.234;USD`;
  lines[2_902] = `${date};META;act_1;500;x;s2902;1;USD;more`;
  const head = 'Date;Network;Account;Campaign ID;Ad set name;Ad set ID;Spend;Currency';
  fs.writeFileSync(file, Buffer.from(`Report\n${head}\n${lines.join('\n')}\n`, 'latin1'));
  expect(await importSpend(file, '--key', KEY)).toMatchObject({
    code: 1,
    err: expect.stringContaining('is no text in utf-8. Name its charset with --charset.') as string,
  });
  const { out, err } = await importSpend(file, '--key', KEY, '--charset', 'windows-1252');
  expect([out, err.split('\n').filter((one) => one.startsWith('row '))]).toEqual([
    '2997 rows accepted, 3 rejected\n',
    ['row 2901: duplicate_row', 'row 2902: invalid_field spend', 'row 2903: invalid_row'],
  ]);
  expect(await daySpend(date)).toEqual(['29.97 USD']);
  const names = await service.rows(
    `SELECT DISTINCT ad_set_name FROM adtrail.ad_spend WHERE project_id = ${projectId} AND date = '${date}'`,
  );
  expect(names).toEqual([{ ad_set_name: 'Größe' }]);
});

test('adtrail import spend sends a file, prints what is refused, and may be run again', async () => {
  const [date, file] = [newDay(), path.join(folder, 'spend.csv')];
  const lines = Array.from({ length: 6_000 }, (_, i) => `${date},META,act_1,500,s${i},0.01,USD`);
  lines[5_500] = `${date},META,act_9,500,s5500,0.01,USD`;
  fs.writeFileSync(file, `date,network,account,campaign_id,ad_set_id,spend,currency\n${lines.join('\n')}\n`);
  const run = (...args: string[]) => importSpend(file, ...args);
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
    (
      await service.rows<{ n: number }>(
        `SELECT count() AS n FROM adtrail.ad_spend WHERE project_id = ${projectId} AND date = '${date}'`,
      )
    )[0]?.n;

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
      `${date},META,act_1,upload-1,"1,5",EUR`,
    ].join('\n');
    const rows = [
      { row: 4, field: 'account', msg: 'is required with a network' },
      { row: 5, field: 'date', msg: 'must be a day, written YYYY-MM-DD' },
      { row: 6, field: 'account', msg: 'the project has no network account with this external_customer_id' },
      { row: 7, field: 'campaign_id', msg: expect.stringContaining('no campaign with this display_id') as string },
      { row: 8, field: 'spend', msg: expect.stringContaining('must be an amount') as string },
    ];
    const dry = await upload(csv, '?dry_run=true');
    expect(dry).toMatchObject({ status: 200, body: { dry_run: true, accepted: 1, refused: 5, rows } });
    expect(await count(date)).toBe(0);
    const campaigns = await service.admin('GET', `/projects/${projectId}/campaigns`);
    expect(JSON.stringify(campaigns.body)).not.toContain('upload-1');
    expect(await upload(csv)).toMatchObject({ status: 200, body: { dry_run: false, accepted: 1, refused: 5, rows } });
    expect(await count(date)).toBe(1);
  });

  test('lists the first 1,000 refused rows, and counts all', async () => {
    const { body } = await upload([HEADER, ...Array<string>(1_500).fill('x,,,,1,EUR')].join('\n'), '?dry_run=true');
    expect([body.accepted, body.refused, (body.rows as unknown[]).length]).toEqual([0, 1_500, 1_000]);
  });

  test('has the bounds of other files', async () => {
    expect((await upload(HEADER, '?dry_run=maybe')).body.msg).toBe('dry_run: must be true or false');
    expect((await upload([HEADER, ...Array<string>(10_001).fill('x,,,,1,EUR')].join('\n'))).status).toBe(413);
    expect((await upload(`${HEADER}${',x'.repeat(195)}`)).body.msg).toBe('Invalid CSV body: more than 200 columns');
  });
});
