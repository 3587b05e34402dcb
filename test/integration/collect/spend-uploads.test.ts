/** Files of spend over HTTP: dry runs, exports of networks, the history, and undo (docs/contract/collectors.md). */
import { readRandom } from '../../support/collect/spend-files';
import { readOperator, findPerson, type Browser } from '../../support/people/person';
import { readCsv, testWithData } from '../../support/shared-data';
import { sharedService } from '../../support/shared-service';
import { idByName } from '../../support/s2s/s2s-client';
import { ownNames } from '../../support/workspace/own-names';
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../../support/service';

const service = sharedService();
const own = ownNames('spend-uploads');
const KEY = own('server-key');
let projectId: number;
let operator: Browser;

beforeAll(async () => {
  await service.apply(
    own.document({
      accounts: [{ name: 'Acme' }],
      projects: [
        {
          name: 'Shop',
          account: 'Acme',
          timezone: 'UTC',
          currency: 'XUA',
          server_keys: ['server-key'],
          network_accounts: [{ network: 'META', external_customer_id: 'act_77', currency: 'USD' }],
          campaigns: [{ display_id: 'uploads-one', name: 'One' }],
        },
        { name: 'Other', account: 'Acme', timezone: 'UTC', server_keys: ['other-key'] },
      ],
    }),
  );
  projectId = await idByName(service, 'projects', own('Shop'));
  operator = await readOperator(service, 'olga@spend-uploads.example');
});

type Body = Record<string, unknown>;
interface Upload extends Body {
  id: number;
  state: string;
}
async function send(method: string, at: string, body?: string, key = KEY, type = 'text/csv') {
  const response = await service.request(`/collect/v1/spend${at}`, {
    method,
    headers: { 'service-key': key, ...(body !== undefined && { 'Content-Type': type }) },
    ...(body !== undefined && { body }),
  });
  return { status: response.status, body: (await response.json()) as Body };
}
const HEADER = 'date,campaign_id,ad_set_id,spend,currency';
const csv = (date: string, spends: Readonly<Record<string, string>>, currency = 'XUA') =>
  [HEADER, ...Object.entries(spends).map(([set, spend]) => `${date},uploads-one,${set},${spend},${currency}`)].join(
    '\n',
  );
async function upload(text: string, query = ''): Promise<number> {
  const { status, body } = await send('POST', `/csv${query}`, text);
  expect([status, body.refused]).toEqual([200, 0]);
  return body.upload_id as number;
}
async function put(date: string, spends: Readonly<Record<string, string>>) {
  const rows = Object.entries(spends).map(([ad_set_id, spend]) => ({
    date,
    campaign_id: 'uploads-one',
    ad_set_id,
    spend,
    currency: 'XUA',
  }));
  expect((await send('PUT', '', JSON.stringify({ rows }), KEY, 'application/json')).body.accepted).toBe(rows.length);
}
const undo = (id: number, key = KEY) => send('POST', `/uploads/${id}/undo`, undefined, key);
const stored = async (date: string, view = 'analytics.ad_spend') =>
  Object.fromEntries(
    (
      await service.rows<{ ad_set_id: string; spend: string }>(
        `SELECT ad_set_id, toString(spend) AS spend FROM ${view}
         WHERE project_id = ${projectId} AND date = '${date}' ${view.includes('counted') ? "AND scope = ''" : ''}
         ORDER BY ad_set_id`,
      )
    ).map(({ ad_set_id, spend }) => [ad_set_id, spend]),
  );
const history = async (query = '') => (await send('GET', `/uploads${query}`)).body as { uploads: Upload[] };

test('a dry run shows rows as they will be stored, sums, days, and which currency has no rate when', async () => {
  const more = ['2024-03-02,uploads-one,a,3,USD', '2024-03-02,uploads-one,b,4,XUA'];
  const text = [csv('2024-03-01', { a: '1.50', b: '2' }, 'usd'), ...more].join('\n');
  const { body } = await send('POST', '/csv?dry_run=true', text);
  expect(body).toMatchObject({
    dry_run: true,
    accepted: 4,
    first_day: '2024-03-01',
    last_day: '2024-03-02',
    sums: [
      { currency: 'USD', spend: '6.5' },
      { currency: 'XUA', spend: '4' },
    ],
    unpriced: [
      {
        currency: 'USD',
        lacking: ['XUA'],
        rows: 3,
        spend: '6.5',
        day_count: 2,
        days: ['2024-03-01', '2024-03-02'],
      },
    ],
    upload_id: null,
  });
  expect((body.sample as Body[])[0]).toEqual({
    row: 2,
    date: '2024-03-01',
    network: '',
    account: '',
    campaign_id: 'uploads-one',
    campaign_name: '',
    ad_set_id: 'a',
    ad_set_name: '',
    ad_id: '',
    ad_name: '',
    keyword_id: '',
    keyword_name: '',
    platform: '',
    impressions: 0,
    clicks: 0,
    spend: '1.5',
    currency: 'USD',
  });
  expect(await stored('2024-03-01')).toEqual({});
});

test('a rate of the day or of one before is enough; what comes earlier is told', async () => {
  const rates = [{ currency: 'XTS', date: '2024-05-02', usd: 2 }];
  await service.apply({ exchange_rates: [...rates, { currency: 'XUA', date: '2024-05-01', usd: 1.1 }] });
  const { body } = await send(
    'POST',
    '/csv?dry_run=true',
    [HEADER, ...[1, 2, 3].map((day) => `2024-05-0${day},uploads-one,,5,XTS`), '2024-05-01,uploads-one,x,5,USD'].join(
      '\n',
    ),
  );
  expect(body.unpriced).toEqual([
    { currency: 'XTS', lacking: ['XTS'], rows: 1, spend: '5', day_count: 1, days: ['2024-05-01'] },
  ]);
});

test("an export of Meta is recognised with the project's account, and its mapping may be changed", async () => {
  const text = [
    'Reporting starts,Campaign ID,Campaign name,Amount spent (USD),Impressions,Link clicks,Results',
    '2024-06-01,990,Meta one,"1,012.50","10,000",7,3',
    '2024-06-01,,,"1,012.50","10,000",7,3',
  ].join('\n');
  const { body: columns } = await send('POST', '/csv/columns', text);
  expect(columns).toMatchObject({
    format: 'meta_ads',
    missing: [],
    mapping: { values: { network: 'META', account: 'act_77', currency: 'USD' }, dates: 'YMD', decimal: '.' },
  });
  const mapping = columns.mapping as { columns: Body };
  const changed = { ...mapping, columns: { ...mapping.columns, clicks: 'Results' } };
  const query = new URLSearchParams({ mapping: JSON.stringify(changed), file_name: 'meta.csv' });
  const { body } = await send('POST', `/csv?${query.toString()}`, text);
  expect(body).toMatchObject({ accepted: 1, refused: 0, totals: 1, format: 'meta_ads' });
  expect(
    await service.rows(
      `SELECT toString(spend) AS spend, currency, account, toUInt32(clicks) AS clicks FROM analytics.ad_spend
       WHERE project_id = ${projectId} AND date = '2024-06-01'`,
    ),
  ).toEqual([{ spend: '1012.5', currency: 'USD', account: 'act_77', clicks: 3 }]);
});

testWithData('kag-ads.csv')(
  'a real file of ads is mapped by hand, and every cent of it is stored and taken back',
  async () => {
    const text = fs.readFileSync(path.resolve(root, '..', 'shared', 'data', 'kag-ads.csv'), 'utf8');
    const rows = readCsv<'Date' | 'Spent' | 'ad_id' | 'Clicks'>('kag-ads.csv');
    const { body: columns } = await send('POST', '/csv/columns', text);
    expect([columns.format, (columns.mapping as Body).dates, (columns.mapping as Body).decimal]).toEqual([
      null,
      'DMY',
      '.',
    ]);
    const mapping = {
      columns: {
        date: 'Date',
        campaign_id: 'xyz_campaign_id',
        ad_set_id: 'fb_campaign_id',
        ad_id: 'ad_id',
        impressions: 'Impressions',
        clicks: 'Clicks',
        spend: 'Spent',
      },
      values: { network: 'META', account: '77', currency: 'USD' },
    };
    const query = new URLSearchParams({ mapping: JSON.stringify(mapping), file_name: 'kag-ads.csv' });
    const { body } = await send('POST', `/csv?${query.toString()}`, text);
    expect([body.accepted, body.refused]).toEqual([rows.length, 0]);
    const sums = async () =>
      (
        await service.rows<{ rows: number; spend: string; clicks: number }>(
          `SELECT toUInt32(count()) AS rows, toString(sum(spend)) AS spend, toUInt32(sum(clicks)) AS clicks
         FROM analytics.ad_spend WHERE project_id = ${projectId} AND network_campaign_id IN ('916', '936', '1178')`,
        )
      )[0];
    const cents = rows.reduce((sum, { Spent }) => sum + BigInt(Math.round(Number(Spent) * 1e9)), 0n);
    expect(await sums()).toEqual({
      rows: rows.length,
      spend: (Number(cents) / 1e9).toString(),
      clicks: rows.reduce((sum, { Clicks }) => sum + Number(Clicks), 0),
    });
    expect((await undo(body.upload_id as number)).body).toMatchObject({
      state: 'undone',
      removed: rows.length,
      kept: 0,
    });
    expect(await sums()).toMatchObject({ rows: 0, spend: '0' });
  },
);

test('the history says who, when, which file, rows, days and sums, in pages, and knows no other project', async () => {
  const analyst = await findPerson(service, operator, 'analyst', await readAccount(), 'ann@spend-uploads.example');
  const body = csv('2024-07-01', { a: '1', b: '2.25' });
  const response = await service.request('/collect/v1/spend/csv?file_name=July%20%C3%BC.csv', {
    method: 'POST',
    headers: {
      Origin: service.url,
      Cookie: analyst.cookie,
      'project-id': String(projectId),
      'Content-Type': 'text/csv',
    },
    body,
  });
  const answer = (await response.json()) as Body;
  expect(response.status).toBe(200);
  const { uploads } = await history('?limit=1');
  expect(uploads).toEqual([
    {
      id: answer.upload_id,
      state: 'stored',
      name: 'July ü.csv',
      made_by: expect.any(String) as string,
      created_at: expect.any(String) as string,
      rows: 2,
      first_day: '2024-07-01',
      last_day: '2024-07-01',
      sums: [{ currency: 'XUA', spend: '3.25' }],
      undone_by: null,
      undone_at: null,
      restored: null,
      removed: null,
      kept: null,
    },
  ]);
  expect(uploads[0]?.made_by).not.toBe('server key');
  const next = await history(`?limit=1&before=${uploads[0]?.id}`);
  expect(next.uploads.every(({ id }) => id < (uploads[0]?.id as number))).toBe(true);
  const other = await send('GET', '/uploads', undefined, own('other-key'));
  expect(other.body).toEqual({ uploads: [], next_before: null });
  expect((await undo(uploads[0]?.id as number, own('other-key'))).status).toBe(404);
  for (const [query, msg] of [
    ['?limit=0', 'limit: must be a whole number from 1 to 200'],
    ['?before=x', 'before: must be a whole number'],
  ] as const)
    expect((await send('GET', `/uploads${query}`)).body.msg).toContain(msg);
});

const readAccount = async () => {
  const { projects } = (await operator.send('GET', '/auth/v1/me')).body as {
    projects: { id: number; account_id: number }[];
  };
  return { account_id: projects.find(({ id }) => id === projectId)?.account_id as number };
};

test('undo restores what was there, removes what was not, and leaves what came later', async () => {
  const date = '2024-08-01';
  await put(date, { before: '1', both: '2' });
  const id = await upload(csv(date, { before: '10', both: '20', fresh: '30', later: '40' }));
  await put(date, { both: '200', later: '400' });
  expect(await stored(date)).toEqual({ before: '10', both: '200', fresh: '30', later: '400' });
  expect(await undo(id)).toMatchObject({
    status: 200,
    body: { state: 'undone', restored: 1, removed: 1, kept: 2, undone_by: 'server key' },
  });
  for (const view of ['analytics.ad_spend', 'analytics.counted_spend'])
    expect(await stored(date, view)).toEqual({ before: '1', both: '200', later: '400' });
  // Again it changes nothing, and what comes now counts.
  await put(date, { fresh: '31' });
  expect((await undo(id)).body).toMatchObject({ state: 'undone', restored: 1, removed: 1, kept: 2 });
  expect(await stored(date)).toEqual({ before: '1', both: '200', fresh: '31', later: '400' });
  const log = await operator.send('GET', '/auth/v1/audit-log?subject=spend_uploads&limit=2');
  expect((log.body.entries as Body[]).map(({ action, actor }) => [action, actor])).toEqual([
    ['change', 'server_key'],
    ['create', 'server_key'],
  ]);
});

test('many at once undo an upload once', async () => {
  const date = '2024-08-02';
  await put(date, { a: '1' });
  const id = await upload(csv(date, { a: '2', b: '3' }));
  const answers = await Promise.all(Array.from({ length: 8 }, () => undo(id)));
  expect(answers.map(({ status, body }) => [status, body.restored, body.removed])).toEqual(
    Array<unknown>(8).fill([200, 1, 1]),
  );
  expect(await stored(date)).toEqual({ a: '1' });
  const changes = await operator.send('GET', '/auth/v1/audit-log?subject=spend_uploads&action=change&limit=2');
  const entries = changes.body.entries as { after: Body }[];
  expect(entries.filter(({ after }) => after.kept === 0 && after.restored === 1)).toHaveLength(1);
});

test.each([1, 2, 3])(
  'after any history each row is what it would be without the uploads that were undone: %i',
  async (seed) => {
    const random = readRandom(seed * 7_919 + 13);
    const date = `2024-09-0${seed}`;
    /** All writes in their order; those of undone uploads count for nothing. */
    const writes: { upload: number; spends: Record<string, string> }[] = [];
    const undone = new Set<number>();
    const expected = () => {
      const rows: Record<string, string> = {};
      for (const { upload: of, spends } of writes) if (!undone.has(of)) Object.assign(rows, spends);
      return Object.fromEntries(Object.entries(rows).sort());
    };
    for (let step = 0; step < 14; step++) {
      const sets = ['a', 'b', 'c', 'd'].filter(() => random(2) === 0);
      const spends = Object.fromEntries(sets.map((set) => [set, String(1 + step * 10 + random(10))]));
      const live = writes.filter((one) => one.upload > 0 && !undone.has(one.upload));
      const what = random(5);
      if (what < 2 && sets.length > 0) writes.push({ upload: await upload(csv(date, spends)), spends });
      else if (what === 2 && sets.length > 0) {
        await put(date, spends);
        writes.push({ upload: 0, spends });
      } else if (live.length > 0) {
        const chosen = live[random(live.length)]?.upload as number;
        expect((await undo(chosen)).body.state).toBe('undone');
        undone.add(chosen);
      }
      expect([step, await stored(date)]).toEqual([step, expected()]);
    }
  },
);
