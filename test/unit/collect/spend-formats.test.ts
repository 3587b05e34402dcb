/** Exports of ad networks, in English, and files that a person maps (docs/contract/collectors.md). */
import { mappingParameter } from '../../../src/collect/spend-mapping';
import { describeColumns, readAnySpendFile } from '../../../src/collect/spend-table';
import { readRows } from '../../../src/collect/spend-input';
import { readValues } from '../../../src/openapi/operation';

const ACCOUNTS = [
  { account: '123-456-7890', network: 'GOOGLE', currency: 'EUR' },
  { account: 'act_42', network: 'META', currency: 'USD' },
  { account: 'tt-1', network: 'TIKTOK', currency: 'USD' },
  { account: 'tt-2', network: 'TIKTOK', currency: 'EUR' },
  { account: 'asa', network: 'APPLE_SEARCH_ADS', currency: 'GBP' },
];
const GOOGLE = [
  'Campaign report',
  '"September 1, 2026 - September 30, 2026"',
  'Campaign status,Campaign,Day,Campaign ID,Ad group,Ad group ID,Customer ID,Currency code,Cost,Impr.,Clicks,CTR',
  'Enabled,Brand,2026-09-01,1001,Exact,2001,1234567890,EUR,"1,234.56","12,345",678,5.49%',
  'Paused,Generic, --,1002, --, --,123-456-7890,EUR,0.00,0,0, --',
  'Enabled,Generic,2026-09-02,1002, --, --,123-456-7890,EUR,7.00,"1,000",9,0.9%',
  'Total: Campaigns, --, --, --, --, --, --,EUR,"1,241.56","13,345",687,5.15%',
  'Total: Account, --, --, --, --, --, --,EUR,"1,241.56","13,345",687,5.15%',
].join('\n');
const META = [
  'Reporting starts,Reporting ends,Campaign name,Campaign ID,Ad set name,Ad set ID,Ad name,Ad ID,Account ID,' +
    'Amount spent (USD),Impressions,Link clicks,Clicks (all)',
  '2026-09-01,2026-09-30,,,,,,,42,30.5,3000,20,30',
  '2026-09-01,2026-09-01,Spring,c:120201,Women,a:120202,Video,120203,42,10.25,1000,7,11',
  '2026-09-02,2026-09-02,Spring,120201,Women,120202,Video,120203,act_42,20.25,2000,13,19',
].join('\n');
const TIKTOK = [
  'Campaign name,Campaign ID,Ad group name,Ad group ID,By Day,Cost,Impressions,Clicks (destination),Currency',
  'Push,1780000000000001,Broad,1780000000000002,2026-09-01 00:00:00,1234.5,90,8,USD',
  'Total of 1 results,-,-,-,-,1234.5,90,8,USD',
].join('\n');
const APPLE = [
  'Date,Campaign Name,Campaign ID,Ad Group Name,Ad Group ID,Keyword,Keyword ID,Impressions,Taps,Spend,Installs',
  '9/13/2026,Brand,501,Exact,502,shoes,503,"1,200",60,£45.60,12',
  '9/2/2026,Brand,501,Exact,502,--,--,10,1,£0.60,0',
].join('\n');

const readMapping = (query: URLSearchParams) => readValues([mappingParameter], query).mapping;

async function read(text: string, mapping?: object) {
  const query = new URLSearchParams(mapping && { mapping: JSON.stringify(mapping) });
  const file = await readAnySpendFile(text, readMapping(query), ACCOUNTS);
  const { good, rejected } = await readRows(file.rows, file.read);
  return {
    ...file,
    rejected,
    good: good.map(({ value: { ids, names, ...value } }) => ({ ...value, ...ids, ...names })),
  };
}
const brief = ({ good }: Awaited<ReturnType<typeof read>>) =>
  good.map((row) => [row.date, row.network, row.account, row.campaignId, row.spend, row.currency, row.clicks]);

test('Google Ads: titles, thousands, dashes for nothing, totals and accounts with and without hyphens', async () => {
  const file = await read(GOOGLE);
  expect([file.format, file.totals, file.rejected]).toEqual([
    'google_ads',
    2,
    [{ index: 1, reason: 'missing_field', field: 'date' }],
  ]);
  expect(brief(file)).toEqual([
    ['2026-09-01', 'GOOGLE', '123-456-7890', '1001', '1234.560000000', 'EUR', 678],
    ['2026-09-02', 'GOOGLE', '123-456-7890', '1002', '7.000000000', 'EUR', 9],
  ]);
  expect(file.good[0]).toMatchObject({ ad_set_id: '2001', ad_set_name: 'Exact', campaign_name: 'Brand' });
  expect(file.good[0]?.impressions).toBe(12_345);
  expect(file.good[1]).toMatchObject({ ad_set_id: '', impressions: 1_000 });
  // The same as Excel takes it: UTF-16 becomes text before, tabs stay.
  expect(brief(await read(GOOGLE.split('\n').slice(2).join('\n').replaceAll(', --', ',')))).toHaveLength(2);
});

test('Meta Ads: the currency of the header, the prefix of IDs, the row that sums up', async () => {
  const file = await read(META);
  expect([file.format, file.totals, file.rejected]).toEqual(['meta_ads', 1, []]);
  expect(brief(file)).toEqual([
    ['2026-09-01', 'META', 'act_42', '120201', '10.250000000', 'USD', 11],
    ['2026-09-02', 'META', 'act_42', '120201', '20.250000000', 'USD', 19],
  ]);
  expect(file.good[0]).toMatchObject({ ad_set_id: '120202', ad_id: '120203', ad_name: 'Video' });
});

test('TikTok Ads: which of two accounts it is a person has to say', async () => {
  const [columns, refused] = [await describeColumns(TIKTOK, ACCOUNTS), read(TIKTOK)];
  expect([columns.format, columns.missing]).toEqual(['tiktok_ads', ['account']]);
  await expect(refused).rejects.toThrow('mapping: account: must be a column or a value');
  const { mapping } = columns;
  const file = await read(TIKTOK, { ...mapping, values: { ...mapping.values, account: 'tt-2' } });
  expect([file.totals, brief(file)]).toEqual([
    1,
    [['2026-09-01', 'TIKTOK', 'tt-2', '1780000000000001', '1234.500000000', 'USD', 8]],
  ]);
});

test('Apple Search Ads: taps, days of America, signs of currencies, the currency of the account', async () => {
  const file = await read(APPLE);
  expect([file.format, file.notation, file.rejected]).toEqual(['apple_search_ads', { dates: 'MDY', decimal: '.' }, []]);
  expect(brief(file)).toEqual([
    ['2026-09-13', 'APPLE_SEARCH_ADS', 'asa', '501', '45.600000000', 'GBP', 60],
    ['2026-09-02', 'APPLE_SEARCH_ADS', 'asa', '501', '0.600000000', 'GBP', 1],
  ]);
  expect(file.good.map((row) => [row.keyword_id, row.impressions])).toEqual([
    ['503', 1_200],
    ['', 10],
  ]);
});

describe('a file that nobody knows', () => {
  const OWN = 'Tag;Kampagne;Nr;Kosten;Klicks\n03.04.2026;Frühling;k-1;1.234;1.000\n05.06.2026;Sommer;k-2;7;2\n';
  const columns = { date: 'Tag', campaign_id: 'Nr', campaign_name: 'Kampagne', spend: 'Kosten', clicks: 'Klicks' };
  const values = { network: 'META', account: '42', currency: 'EUR' };

  test('tells its columns with examples, and what is missing', async () => {
    expect(await describeColumns(OWN, ACCOUNTS)).toEqual({
      format: null,
      columns: [
        { title: 'Tag', samples: ['03.04.2026', '05.06.2026'] },
        { title: 'Kampagne', samples: ['Frühling', 'Sommer'] },
        { title: 'Nr', samples: ['k-1', 'k-2'] },
        { title: 'Kosten', samples: ['1.234', '7'] },
        { title: 'Klicks', samples: ['1.000', '2'] },
      ],
      mapping: { columns: {}, values: {}, dates: 'YMD', decimal: '.' },
      missing: ['date', 'campaign_id', 'spend', 'currency'],
    });
  });

  test('is read as it is mapped; what may be read in two ways is refused until somebody says which', async () => {
    const open = await read(OWN, { columns, values });
    expect([open.notation, brief(open)]).toEqual([{ dates: null, decimal: null }, []]);
    const german = await read(OWN, { columns, values, dates: 'DMY', decimal: ',' });
    expect(brief(german)).toEqual([
      ['2026-04-03', 'META', 'act_42', 'k-1', '1234.000000000', 'EUR', 1_000],
      ['2026-06-05', 'META', 'act_42', 'k-2', '7.000000000', 'EUR', 2],
    ]);
    const american = await read(OWN, { columns, values, dates: 'MDY', decimal: '.' });
    expect(american.good.map((row) => [row.date, row.spend])).toEqual([['2026-05-06', '7.000000000']]);
  });

  test('numbers and days that only one notation allows decide for the whole file', async () => {
    const file = (cost: string, day: string) => `Day,Id,Money\n03/04/2026,a,"1,234"\n${day},b,"${cost}"\n`;
    const mapped = { columns: { date: 'Day', campaign_id: 'Id', spend: 'Money' }, values };
    const first = async (cost: string, day: string) => (await read(file(cost, day), mapped)).good[0];
    expect(await first('5.25', '25/04/2026')).toMatchObject({ date: '2026-04-03', spend: '1234.000000000' });
    expect(await first('5,25', '04/25/2026')).toMatchObject({ date: '2026-03-04', spend: '1.234000000' });
    expect(await first('1.000,5', 'Apr 25, 2026')).toBeUndefined();
    expect(await first('x', '25/04/2026')).toBeUndefined();
  });

  test.each<[unknown, string]>([
    ['no JSON', 'mapping: must be a JSON object'],
    [[], 'mapping: must be a JSON object'],
    [{ column: {} }, 'mapping: column: is not one of columns, values, dates, decimal'],
    [{ columns: { money: 'x' } }, 'mapping: columns.money: is not one of date, network'],
    [{ columns: { date: 1 } }, 'mapping: columns.date: must be text of at most 200 characters'],
    [{ values: { spend: '1' } }, 'mapping: values.spend: is not one of network, account, platform, currency'],
    [{ dates: 'DYM' }, 'mapping: dates: must be one of YMD DMY MDY, or null'],
    [{ columns: { date: 'Tag' } }, 'mapping: campaign_id, spend, currency: must be a column or a value'],
    [{ columns: { ...columns, date: 'Day' }, values }, 'the columns day are missing'],
    [{ columns, values, extra: 'x'.repeat(6_000) }, 'mapping: must have at most 6000 characters'],
  ])('a mapping %j is refused: %s', async (mapping, message) => {
    const query = new URLSearchParams({ mapping: typeof mapping === 'string' ? mapping : JSON.stringify(mapping) });
    await expect((async () => readAnySpendFile(OWN, readMapping(query), ACCOUNTS))()).rejects.toThrow(message);
  });

  test('a file without a header is told so', async () => {
    await expect(describeColumns('1,2,3\n4,5,6\n', ACCOUNTS)).rejects.toThrow('no header was found');
    await expect(describeColumns('', ACCOUNTS)).rejects.toThrow('no header was found');
  });
});
