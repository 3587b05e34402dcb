/**
 * Files of spend as people and spreadsheets write them: stored exactly, or refused by name
 * (docs/contract/collectors.md).
 */
import { decodeText } from '../../../src/lib/charset';
import { readRows, readSpendFile, type SpendRow } from '../../../src/collect/spend-input';
import { ApiError } from '../../../src/errors';

const HEADER = 'date,network,account,campaign_id,campaign_name,ad_set_id,clicks,impressions,spend,currency';
const cells = {
  date: '2026-01-02',
  network: 'META',
  account: 'act_1',
  campaign_id: '120215012345670123',
  campaign_name: 'Summer',
  ad_set_id: '',
  clicks: '3',
  impressions: '100',
  spend: '1.43',
  currency: 'USD',
};
type Cells = Readonly<Record<string, string>>;
const line = (more: Cells = {}, separator = ',') => Object.values({ ...cells, ...more }).join(separator);
const file = (...lines: string[]) => [HEADER, ...lines].join('\n');

async function read(text: string) {
  const { rows, lines, read: readRow } = await readSpendFile(text);
  const { good, rejected } = await readRows(rows, readRow);
  return {
    good: good.map(({ value }) => value),
    rejected: rejected.map(({ index, reason, field }) => [lines[index], reason, field]),
  };
}
const refusal = async (text: string) => {
  const error: unknown = await readSpendFile(text).catch((one: unknown) => one);
  return error instanceof ApiError ? [error.status, error.message] : error;
};

describe('forms of a file', () => {
  const one = async (text: string) => {
    const { good, rejected } = await read(text);
    expect(rejected).toEqual([]);
    expect(good).toMatchObject([{ date: cells.date, campaignId: cells.campaign_id, spend: '1.430000000', clicks: 3 }]);
  };

  test.each([
    ['commas', file(line())],
    ['semicolons', file(line()).replaceAll(',', ';')],
    ['tabs, and cells that are empty between them', file(line()).replaceAll(',', '\t')],
    ['a line that names the separator', `sep=;\r\n${file(line()).replaceAll(',', ';')}`],
    ['a quoted one, and another separator', `"sep=|"\n${file(line()).replaceAll(',', '|')}`],
    ['a line that names it, in capitals', `SEP=\t\n${file(line()).replaceAll(',', '\t')}`],
    ['line ends of Windows', file(line()).replaceAll('\n', '\r\n')],
    ['line ends of old Macs', file(line()).replaceAll('\n', '\r')],
    ['no end of the last line', file(line())],
    ['a byte order mark', `\ufeff${file(line())}`],
    ['a header in capitals', file(line()).replace(HEADER, HEADER.toUpperCase())],
    ['a header with spaces', file(line()).replace(HEADER, HEADER.replaceAll('_', ' ').replaceAll(',', ' , '))],
    ['a header with hyphens', file(line()).replace(HEADER, HEADER.replaceAll('_', '-'))],
    ['a header in quotes', file(line()).replace(HEADER, `"${HEADER.replaceAll(',', '","')}"`)],
    ['columns that nobody reads', `x,${HEADER},y\n1,${line()},2`],
    [
      'a title, its dates and an empty line before it',
      `Report: Meta, all\n"2026-01-01, 2026-01-31"\n\n${file(line())}`,
    ],
    ['a title that has line breaks', `"Report\nMeta"\n${file(line())}`],
    ['a title with another separator', `a;b;c;d\n${file(line())}`],
    ['blank lines, and rows of separators', file('', ',,,,,,,,,', line(), '  ', ' , , , , , , , , , ', '')],
    ['columns that are empty at its end', `${HEADER},,\n${line()},,\n,,,,,,,,,,,\n`],
    ['spaces around cells', file(line()).replaceAll(',', ' , ')],
    ['cells of no-break spaces', file(line(), ',,,,\u00a0,\u200b,,,,')],
    ['amounts with more decimals', file(line({ spend: '1.430000' }))],
    ['counts as a table of decimals has them', file(line({ clicks: '3.0', impressions: '100.00' }))],
    ['a currency and a network in lower case', file(line({ network: 'meta', currency: 'usd' }))],
  ])('%s', (_, text) => one(text));

  test.each([
    ['without columns that are required', 'Date;Cost\n2026-01-02;1', 'campaign_id, spend, currency', '"date", "cost"'],
    ['of another language', 'Datum;Kampagne;Kosten\n1;2;3', 'date, campaign_id', '"datum", "kampagne", "kosten"'],
    ['without a header', line(), 'date, campaign_id, spend, currency', '"2026_01_02", "meta"'],
    ['whose header has another separator', file(line()).replaceAll(',', '|'), 'date', '"date|network'],
    ['that is empty', '', 'date, campaign_id, spend, currency', 'nothing'],
    ['of blank lines', '\n\n ;;\n', 'date, campaign_id, spend, currency', 'nothing'],
    ['that is a workbook', 'PK\u0003\u0004\u0014', 'date', '"pk'],
  ])('a file %s is 400, and says what is missing and what it read', async (_, text, missing, found) => {
    expect(await refusal(text)).toEqual([
      400,
      expect.stringMatching(/^Invalid CSV body: the columns .* are missing; what was read as the header: /),
    ]);
    expect(await refusal(text)).toEqual([400, expect.stringContaining(missing)]);
    expect(await refusal(text)).toEqual([400, expect.stringContaining(found)]);
  });

  test.each([
    ['a column twice', `${HEADER},Date\n${line()},2026-01-03`, 'the column date is there twice'],
    ['201 columns', `${HEADER}${',x'.repeat(191)}\n`, 'more than 200 columns'],
    ['a quote that does not end', file(line({ campaign_name: '"Summer' })), 'Quote Not Closed'],
    ['a line without end', file('x'.repeat(140_000)), 'a line of more than 131072 characters'],
    ['nothing but separators', file(',\n'.repeat(20_001)), 'more than 20000 rows without text'],
  ])('a file with %s is 400', async (_, text, message) => {
    expect(await refusal(text)).toEqual([400, expect.stringContaining(message)]);
  });

  test('10,000 rows are taken, one more is 413', async () => {
    const lines = Array.from({ length: 10_001 }, (_, i) => line({ campaign_id: `c${i}` }));
    expect((await read(file(...lines.slice(1)))).good).toHaveLength(10_000);
    expect(await refusal(file(...lines))).toEqual([413, 'A request takes at most 10000 rows.']);
  });
});

const wrong: readonly (readonly [string, readonly string[]])[] = [
  ['date', ['01/02/2026', '02.01.2026', '2026-1-2', '2026/01/02', '20260102', '46024', '2026-01-02T00:00:00']],
  ['date', ['2026-01-02 00:00:00', '2026-02-30', '1970-01-01', '0', '0000-00-00', '#N/A', 'Jan 2, 2026', '2026-01']],
  ['date', ['Total', 'Totals', 'Gesamt', 'Gesamtergebnis', 'Summe', 'Grand total', 'date', '--']],
  ['campaign_id', ['1.20215E+17', '1.2E17', '1E+17', '1e17', '555015.0', '555015.', '1.202.150', '12.5']],
  ['campaign_id', ["'555016", '’555016', '="555016"', '=555016', 'c:555016', 'ag:1', 'c: 5', '#REF!', '#N/A']],
  ['campaign_id', ['#NAME?', '#DIV/0!', '########', '+555016', '-555016', '(555016)', '$5', '120 215', "120'215"]],
  ['campaign_id', ['-', '--', '…', 'null', 'NULL', 'None', 'NaN', 'undefined', 'n/a', 'Total', 'Gesamt', 'Sub total']],
  ['campaign_id', ['120\u00a0215', '555016\u200b', '\u200e555016', '120215012345678000', '12345678901234500']],
  ['account', ['1.2E+9', "'act_1", '#REF!', '123.0', '120215012345678000']],
  ['ad_set_id', ['1.2E+17', '5.0', "'5", 'c:5', '--', 'n/a']],
  [
    'spend',
    ['1 234.56', '1\u00a0234.56', '1\u202f234.56', '1.234.567', "1'234.56", '1,5', '$1', '1 €', '1.5 USD', 'EUR 1'],
  ],
  ['spend', ['5-', '(5)', '−5', '1.5E+03', '1e3', '.', '--', 'n/a', '1.234', '-1.234', '12.345', '999.999', '5%']],
  ['clicks', ['1.000', '12.345', '1.5', '-1', '1e3', '1,000', '3 000', '#N/A', '-']],
  ['impressions', ['1.000', '1.000.000', '1.2E+07', '(5)']],
  ['currency', ['$', '€', 'US$', 'DOLLAR', '1.5', 'US']],
  ['network', ['Meta Ads', '1', '--']],
];
test.each(wrong.flatMap(([field, values]) => values.map((value) => [field, value] as const)))(
  '%s %j is refused by name, and the rows around it are taken',
  async (field, value) => {
    const bad = file(line({ ad_set_id: '1' }), line({ [field]: value.includes(',') ? `"${value}"` : value }), line());
    expect(await read(bad)).toMatchObject({
      good: [{ ids: { ad_set_id: '1' } }, { ids: { ad_set_id: '' } }],
      rejected: [[3, 'invalid_field', field]],
    });
  },
);

test.each([
  ['campaign_id', '"""555016"""'],
  ['campaign_id', '" 555016"'],
  ['campaign_id', '"=""555016"""'],
  ['campaign_id', '"1,20215E+17"'],
  ['spend', '"1,234.56"'],
  ['spend', '"1.234,56"'],
  ['', `${cells.ad_set_id},7`],
])('in quotes: %s %s', async (field, value) => {
  expect((await read(file(line({ [field || 'ad_set_id']: value })))).rejected).toEqual([[2, 'invalid_field', field]]);
});

test.each([
  ['campaign_id', '8u94t'],
  ['campaign_id', 'urn:li:sponsoredCampaign:123'],
  ['campaign_id', '0012'],
  ['campaign_id', '12345678901234560'],
  ['account', '123-456-7890'],
  ['ad_set_id', 'kwd-123'],
  ['ad_set_id', 'Cafe\u0301'],
])('%s %j is an ID, and stays as it is', async (field, value) => {
  const { good } = await read(file(line({ [field]: value })));
  const [{ campaignId, account, ids }] = good as [SpendRow];
  expect({ campaign_id: campaignId, account, ad_set_id: ids.ad_set_id }[field]).toBe(value);
});

test.each([
  ['-12.5', '-12.500000000'],
  ['+12.5', '12.500000000'],
  ['0', '0.000000000'],
  ['0.123', '0.123000000'],
  ['1234.567', '1234.567000000'],
  ['1.2345', '1.234500000'],
  ['0001.5', '1.500000000'],
])('spend %s is %s', async (spend, expected) => {
  expect((await read(file(line({ spend })))).good).toMatchObject([{ spend: expected }]);
});

test.each(['1.234', ' 1.234', '1.234\u00a0'])(
  '%j, which two locales read differently, is refused with blanks too',
  async (spend) => {
    const { good, rejected } = await read(file(line({ spend })));
    expect([good.length, rejected.map(([, reason, field]) => [reason, field])]).toEqual([
      0,
      [['invalid_field', 'spend']],
    ]);
  },
);

test('1.234 is an amount where the file has others with as many decimals, and no other locale', async () => {
  const [odd, fine] = [line({ spend: '1.234' }), line({ campaign_id: '5', spend: '0.4321' })];
  expect((await read(file(odd, fine))).good).toMatchObject([{ spend: '1.234000000' }, { spend: '0.432100000' }]);
  for (const other of [line({ campaign_id: '6', spend: '"1,5"' }), line({ campaign_id: '6', clicks: '1.000' })])
    expect((await read(file(odd, fine, other))).rejected.map(([at]) => at)).toEqual([2, 4]);
});

test('of two rows with the same keys the second is refused; other keys make another row', async () => {
  const { good, rejected } = await read(
    file(
      line(),
      line({ spend: '9', network: 'meta', campaign_name: 'Other' }),
      line({ account: 'act_2' }),
      line({ ad_set_id: '1' }),
      line({ date: '2026-01-03' }),
      line({ date: 'x' }),
      line({ date: 'x' }),
    ),
  );
  expect(good).toHaveLength(4);
  expect(rejected).toEqual([
    [3, 'duplicate_row', ''],
    [7, 'invalid_field', 'date'],
    [8, 'invalid_field', 'date'],
  ]);
});

test('names have one form, are cut, and mended', async () => {
  const names = ['Cafe\u0301 ', '\u200bCaf\u00e9', `${'x'.repeat(1_024)}y`, 'a\0b', '=SUM(A1)', "'x", '5" nail'];
  const { good } = await read(
    file(...names.map((campaign_name, i) => line({ campaign_name, campaign_id: `${i + 1}` }))),
  );
  expect(good.map(({ names: { campaign_name } }) => campaign_name)).toEqual([
    'Caf\u00e9',
    'Caf\u00e9',
    'x'.repeat(1_024),
    'a\ufffdb',
    '=SUM(A1)',
    "'x",
    '5" nail',
  ]);
});

describe('charsets', () => {
  const utf16 = (text: string, swap: boolean) =>
    swap ? Buffer.from(text, 'utf16le').swap16() : Buffer.from(text, 'utf16le');
  const text = 'Größe € é';
  test.each<[string, Buffer, string, string]>([
    ['UTF-8', Buffer.from(text), 'utf-8', text],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${text}`), 'utf-8', text],
    ['a mark says more than a label', Buffer.from(`\ufeff${text}`), 'windows-1252', text],
    ['UTF-16 with a mark', utf16(`\ufeff${text}`, false), 'utf-8', text],
    ['UTF-16, the other way round', utf16(`\ufeff${text}`, true), 'utf-8', text],
    ['UTF-16 without a mark, declared', utf16(text, false), 'UTF-16LE', text],
    ['UTF-16 the other way round, declared', utf16(text, true), 'utf-16be', text],
    ['windows-1252', Buffer.from('47 72 f6 df 65 20 80 20 e9'.replaceAll(' ', ''), 'hex'), 'Windows-1252', text],
    ['ISO 8859-1, which is read as windows-1252', Buffer.from('4772f6df652080', 'hex'), 'ISO-8859-1', 'Größe €'],
    ['ISO 8859-15', Buffer.from('4772f6df6520a4', 'hex'), 'iso-8859-15', 'Größe €'],
    ['MS-DOS', Buffer.from('477294e165', 'hex'), 'cp850', 'Größe'],
    ['Macintosh', Buffer.from('47729aa765', 'hex'), 'macintosh', 'Größe'],
    ['Shift JIS, whose characters have two bytes', Buffer.from('93fa967b', 'hex'), 'Shift_JIS', '日本'],
    ['ASCII', Buffer.from('plain'), 'us-ascii', 'plain'],
    ['nothing', Buffer.alloc(0), 'utf-8', ''],
  ])('%s', async (_, bytes, label, expected) => expect(await decodeText(bytes, label)).toBe(expected));

  test.each<[string, Buffer, string, string]>([
    ['a byte that is no UTF-8', Buffer.from('4772f6df65', 'hex'), 'utf-8', 'utf-8'],
    ['a character that has broken off', Buffer.from('c3', 'hex'), 'utf-8', 'utf-8'],
    ['half a surrogate pair', Buffer.from('00d8', 'hex'), 'utf-16le', 'utf-16le'],
    ['half a character of UTF-16', Buffer.from('410042', 'hex'), 'utf-16le', 'utf-16le'],
    ['a byte that windows-1252 has not', Buffer.from('81', 'hex'), 'windows-1252', 'windows-1252'],
    ['eight bits in ASCII', Buffer.from('f6', 'hex'), 'ascii', 'ascii'],
    ['half a character of Shift JIS', Buffer.from('93', 'hex'), 'shift_jis', 'shift_jis'],
    ['an unknown charset', Buffer.from('x'), 'nonsense', 'nonsense'],
    ['what is no charset', Buffer.from('x'), 'base64', 'base64'],
    ['UTF-7', Buffer.from('x'), 'utf-7', 'utf-7'],
  ])('%s is refused', (_, bytes, label, message) =>
    expect(decodeText(bytes, label)).rejects.toThrow(new Error(message)),
  );

  test('characters on the border of two slices are whole', async () => {
    const long = `${'x'.repeat(256 * 1024 - 1)}ö${'y'.repeat(256 * 1024 - 3)}€z`;
    expect(await decodeText(Buffer.from(long), 'utf-8')).toBe(long);
  });
});
