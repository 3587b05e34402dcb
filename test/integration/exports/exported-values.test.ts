/**
 * What scheduled exports write (docs/contract/scheduled-exports.md): every kind of records, and a question, in each
 * format, read back by programs that did not write it, value for value and type for type against SQL over the views.
 */
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { parse } from 'csv-parse/sync';
import { FORMAT_NAMES, type Format } from '../../../src/files/formats';
import { RECORD_KINDS, VIEWS, type RecordKind } from '../../../src/files/kinds';
import { addDays } from '../../../src/lib/time';
import type { Json } from '../../support/collect/collect-client';
import { expectSame } from '../../support/expect-same';
import { readArrow } from '../../support/reports/arrow';
import { readParquet } from '../../support/reports/parquet';
import { idByName } from '../../support/s2s/s2s-client';
import { eventually, startService, temporaryFolder, type RunningService } from '../../support/service';

const TODAY = new Date().toISOString().slice(0, 10);
const DAY = addDays(TODAY, -1);
/** Texts that one format or another could spoil. */
const TEXTS = [
  '',
  'plain',
  'a "quoted" text',
  '"',
  'one, two; three\tfour',
  'first\nsecond',
  'first\r\nsecond\r',
  '\n',
  '=1+1',
  '+49 30',
  '-1',
  '@SUM(A1)',
  "'=1+1",
  '👩‍👩‍👧 Grüße, 你好, عربى',
  '\u2028\u2029',
  'a mark \ufeff within',
  ' spaces ',
  'NULL',
  'null',
  '\\N',
  '\\',
  'C:\\new "x"',
  '0012',
  '1e400',
  'true',
  '{"a": [1, "b"]}',
  'x'.repeat(3_000),
] as const;
const NUMBERS: Readonly<Record<string, readonly string[]>> = {
  UInt8: ['0', '1', '255'],
  UInt16: ['0', '7', '65535'],
  UInt32: ['0', '7', '4294967295'],
  UInt64: ['0', '9007199254740993', '18446744073709551615'],
  Int64: ['0', '-9007199254740993', '9223372036854775807', '-9223372036854775808'],
  'Decimal(38, 9)': [
    '0',
    '0.1',
    '-0.000000001',
    '12.5',
    '99999999999999999999999999999.999999999',
    '-99999999999999999999999999999.999999999',
  ],
};
const TIMES = [
  '1970-01-01 00:00:00.000',
  '2026-03-01 09:59:59.999',
  '2024-02-29 12:00:00.001',
  '2105-12-31 23:59:59.5',
];
const DAYS = ['1970-01-01', '2024-02-29', '2105-12-31'];
/** Arrow's types of what a file has; what may be missing there may be so in the view, too. */
const ARROW_TYPES: Readonly<Record<string, string>> = {
  String: 'Utf8',
  UUID: 'Utf8',
  Date: 'Date32<DAY>',
  "DateTime64(3, 'UTC')": 'Timestamp<MILLISECOND, UTC>',
  'Decimal(38, 9)': 'Decimal[38e+9]',
  UInt8: 'Uint8',
  UInt16: 'Uint16',
  UInt32: 'Uint32',
  UInt64: 'Uint64',
  Int64: 'Int64',
};
const CANDIDATES =
  'List<Struct<{rule:Utf8, touch_type:Utf8, touch_id:Utf8, touch_time:Timestamp<MILLISECOND, UTC>, ' +
  'received_at:Timestamp<MILLISECOND, UTC>, campaign_id:Uint32, window_seconds:Uint32, verdict:Utf8}>>';
/** So many rows that every column has every text; of one kind, more than a part takes. */
const ROWS = TEXTS.length;
const PART_ROWS = ROWS + 1;
const countRows = (kind: RecordKind) => (kind === 'app-events' ? 2 * ROWS : ROWS);
type ColumnRow = { readonly name: string; readonly type: string; readonly default_kind: string };

const folder = temporaryFolder();
let service: RunningService;
const CAMPAIGN = 'Frühling, "2026"\n🎈';
/** The same rows twice: a project has twenty exports. */
const NAMES = ['Parquet and NDJSON', 'CSV'] as const;
const toKey = (name: string) => name.replaceAll(' ', '-');
let projects: { readonly id: number; readonly campaign: number }[];

const question = {
  source: 'app',
  metrics: ['spend', 'installs', 'cpi'],
  dimensions: ['campaign', 'ad'],
};

const listColumns = (database: string, table: string) =>
  service.rows<ColumnRow>(`SELECT name, type, default_kind FROM system.columns
    WHERE database = '${database}' AND table = '${table}' ORDER BY position`);
/** A type without what only says how it is stored, and whether it may be missing. */
function readType(type: string): { readonly inner: string; readonly isNullable: boolean } {
  const stored = type.replace(/^LowCardinality\((.*)\)$/, '$1');
  const inner = stored.replace(/^Nullable\((.*)\)$/, '$1');
  return { inner, isNullable: inner !== stored };
}

/** Row `i` of a table, as JSONEachRow takes it: each of its columns goes through the values that its type can have. */
function drawRow(columns: readonly ColumnRow[], i: number, more: Json): Json {
  const row = columns.map(({ name, type }, at) => [name, drawValue(type, i + at)] as const);
  return { ...Object.fromEntries(row), ...more };
}

function drawValue(type: string, turn: number): unknown {
  const { inner, isNullable } = readType(type);
  if (isNullable && turn % 3 === 0) return null;
  const pick = (values: readonly string[]) => values[turn % values.length];
  if (inner === 'String') return pick(TEXTS);
  if (inner === 'UUID') return randomUUID();
  if (inner === 'Date') return pick(DAYS);
  if (inner.startsWith('DateTime64')) return pick(TIMES);
  if (inner.startsWith('Map')) return { gclid: pick(TEXTS), utm_source: 'google', utm_campaign: pick(TEXTS) };
  if (inner.startsWith('Array(Tuple'))
    return Array.from({ length: turn % 3 }, (_, at) => ({
      rule: 'device_click',
      touch_type: pick(TEXTS),
      touch_id: randomUUID(),
      touch_time: TIMES[at],
      received_at: pick(TIMES),
      campaign_id: '4294967295',
      window_seconds: '0',
      verdict: pick(TEXTS),
    }));
  if (inner.startsWith('Array')) return [];
  return pick(NUMBERS[inner] as readonly string[]);
}

async function insertRows(kind: RecordKind): Promise<void> {
  const table = VIEWS[kind];
  const columns = (await listColumns('adtrail', table)).filter(({ default_kind }) => default_kind !== 'ALIAS');
  // The first moment of the day, the last one, and many between; the first one of the next day is not in its files.
  const times = [`${DAY} 00:00:00.000`, `${DAY} 23:59:59.999`];
  for (let i = times.length; i < countRows(kind); i++) times.push(`${DAY} 12:00:${10 + (i % 50)}.123`);
  const rows = [...times, `${TODAY} 00:00:00.000`].map((time, i) =>
    drawRow(columns, i, {
      received_at: time,
      attempted_at: time,
      bucket: time.slice(0, 10),
      date: time.slice(0, 10),
      install_id: `install-${i}`,
      ad_id: `ad-${i}`,
      currency: 'USD',
      kind: 's2s',
      type: kind === 'web-events' ? 'pageview' : 'event',
      is_deleted: 0,
      version: 1,
    }),
  );
  const known = new Set(columns.map(({ name }) => name));
  const values = projects.flatMap(({ id, campaign }) =>
    rows.map((row, i) => ({
      ...Object.fromEntries(Object.entries(row).filter(([name]) => known.has(name))),
      project_id: id,
      ...(known.has('campaign_id') && { campaign_id: i % 3 ? campaign : 0 }),
    })),
  );
  await service.clickhouse.insert({ table: `adtrail.${table}`, format: 'JSONEachRow', values });
}

/** Numbers with all their digits, behind `#`. */
function readLines(text: string): Json[] {
  const marked = text.replace(/("(?:[^"\\]|\\.)*")|(-?\d[\d.eE+-]*)/g, (_, inText: string, number: string) =>
    inText === undefined ? `"#${number}"` : inText,
  );
  return marked
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Json);
}

/** What is in a view of the day, by SQL: numbers with all their digits, behind `#`. */
async function readView(kind: RecordKind, project: number): Promise<Json[]> {
  const arrived = kind === 'postbacks' ? 'attempted_at' : 'received_at';
  const result = await service.clickhouse.query({
    query: `SELECT * FROM analytics.${VIEWS[kind]} WHERE project_id = ${project} AND toDate(${arrived}) = '${DAY}'`,
    format: 'JSONEachRow',
    clickhouse_settings: { date_time_output_format: 'iso', output_format_json_quote_64bit_integers: 0 },
  });
  return readLines(await result.text());
}

const asTexts = (row: Json) =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      value === null
        ? ''
        : Array.isArray(value)
          ? JSON.parse(JSON.stringify(value).replace(/"#(-?[\d.]+)"/g, '$1'))
          : (value as string).replace(/^#/, ''),
    ]),
  );
/** As JavaScript has numbers; a reader of decimals may have their last digits otherwise. */
const asDoubles = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_, one: unknown) => {
    const number = typeof one === 'string' && one.startsWith('#') ? Number(one.slice(1)) : one;
    return typeof number === 'number' ? Number(number.toPrecision(14)) : number;
  });
/** hyparquet has days as the moments at which they begin. */
const withDays = (columns: readonly ColumnRow[], row: Json) => {
  const days = columns.filter(({ type }) => type === 'Date').map(({ name }) => [name, String(row[name]).slice(0, 10)]);
  return { ...row, ...(Object.fromEntries(days) as Json) };
};
const sorted = <T>(rows: readonly T[]) => [...rows].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

type Manifest = {
  rows: number;
  schema: { name: string; type: string }[];
  parts: { path: string; rows: number }[];
};
async function readExport(project: number, kind: string, format: Format) {
  const place = path.join(folder, `project-${project}`, format, kind, `day=${DAY}`);
  await eventually(place, () => fs.existsSync(path.join(place, '_SUCCESS')) || undefined, 60_000);
  const manifest = JSON.parse(fs.readFileSync(path.join(place, 'manifest.json'), 'utf8')) as Manifest;
  return { manifest, parts: manifest.parts.map((part) => fs.readFileSync(path.join(place, part.path))) };
}

const readProject = (format: Format) => (projects[format === 'csv' ? 1 : 0] as (typeof projects)[number]).id;

beforeAll(async () => {
  service = await startService({ EXPORT_DIR: folder, EXPORT_PART_ROWS: String(PART_ROWS), LIMIT_QUERY: 'off' });
  await service.apply({
    accounts: [{ name: 'Acme' }],
    partners: [{ name: 'Mobi "Ads", 🎈' }],
    projects: NAMES.map((name) => ({
      name,
      account: 'Acme',
      timezone: 'UTC',
      server_keys: [toKey(name)],
      campaigns: [{ display_id: toKey(name), name: CAMPAIGN, partner: 'Mobi "Ads", 🎈' }],
    })),
  });
  projects = await Promise.all(
    NAMES.map(async (name) => {
      const id = await idByName(service, 'projects', name);
      const [campaign] = await service.rows<{ id: number }>(
        `SELECT campaign_id AS id FROM adtrail.campaigns FINAL WHERE project_id = ${id}`,
      );
      return { id, campaign: campaign?.id as number };
    }),
  );
  await Promise.all(RECORD_KINDS.map(insertRows));
  for (const format of FORMAT_NAMES)
    for (const kind of [...RECORD_KINDS, { query: question }]) {
      const response = await service.request('/api/v1/exports', {
        method: 'POST',
        headers: { 'service-key': toKey(format === 'csv' ? NAMES[1] : NAMES[0]), 'Content-Type': 'application/json' },
        body: JSON.stringify({
          name: `${typeof kind === 'string' ? kind : 'asked'} ${format}`,
          kind,
          format,
          every: 'day',
          destination: { type: 'folder', path: format },
          from: DAY,
        }),
      });
      expect([kind, format, response.status]).toEqual([kind, format, 201]);
    }
}, 120_000);
afterAll(async () => {
  await service.dispose();
  fs.rmSync(folder, { recursive: true, force: true });
});

describe.each(RECORD_KINDS)('%s', (kind) => {
  test('Parquet: rows and types, by two readers', async () => {
    const project = readProject('parquet');
    const { manifest, parts } = await readExport(project, kind, 'parquet');
    expect(manifest.rows).toBe(countRows(kind));
    const [first, ...others] = parts.map((part) => readArrow(part));
    const columns = await listColumns('analytics', VIEWS[kind]);
    expect(manifest.schema).toEqual(columns.map(({ name, type }) => ({ name, type })));
    expect(first?.columns).toEqual(
      columns.map(({ name, type }) => {
        const { inner, isNullable } = readType(type);
        return { name, type: ARROW_TYPES[inner] ?? CANDIDATES, nullable: isNullable };
      }),
    );
    for (const other of others) expect(other.columns).toEqual(first?.columns);
    const read = [first, ...others].map((part) => part?.rows ?? []);
    expect(read.map(({ length }) => length)).toEqual(manifest.parts.map(({ rows }) => rows));
    const expected = sorted(await readView(kind, project));
    expectSame(sorted(read.flat()), expected);
    const again = await Promise.all(parts.map((part) => readParquet(Uint8Array.from(part).buffer)));
    expectSame(
      sorted(again.flat().map((row) => asDoubles(withDays(columns, row)))),
      sorted(expected.map((row) => asDoubles(row))),
    );
  });

  test('NDJSON', async () => {
    const project = readProject('ndjson');
    const { parts } = await readExport(project, kind, 'ndjson');
    expectSame(sorted(parts.flatMap((part) => readLines(part.toString()))), sorted(await readView(kind, project)));
  });

  test('CSV', async () => {
    const project = readProject('csv');
    const { parts } = await readExport(project, kind, 'csv');
    const rows = parts.flatMap((part) => parse<Record<string, string>>(part, { columns: true }));
    const read = rows.map((row) =>
      'candidates' in row ? { ...row, candidates: JSON.parse(row.candidates) as Json } : row,
    );
    expectSame(sorted(read), sorted((await readView(kind, project)).map(asTexts)));
  });
});

describe('a question', () => {
  const kind = (format: Format) => `query-asked-${format}`;
  /** What it comes to, by SQL: to the cent, where there is anything; no install is credited. */
  async function readAnswer(project: number): Promise<Json[]> {
    const result = await service.clickhouse.query({
      query: `SELECT
          if(campaign_id = 0, 'organic', campaign.display_id) AS campaign,
          if(campaign_id = 0, 'Organic', campaign.name) AS campaign_name,
          ad_id AS ad, if(any(ad_name) = '', ad_id, any(ad_name)) AS ad_name,
          toFloat64(round(sum(spent.spend), 2)) AS spend, 0 AS installs, NULL AS cpi
        FROM analytics.counted_spend AS spent
        LEFT JOIN (SELECT campaign_id AS id, display_id, name FROM adtrail.campaigns FINAL) AS campaign
          ON campaign.id = spent.campaign_id
        WHERE project_id = ${project} AND scope = '' AND date = '${DAY}'
        GROUP BY campaign_id, ad_id, campaign, campaign_name
        HAVING sum(spent.spend) != 0`,
      format: 'JSONEachRow',
    });
    return readLines(await result.text()).map((row) => ({ ...row, spend: `#${Number(String(row.spend).slice(1))}` }));
  }

  test('Parquet: rows and types, by two readers', async () => {
    const project = readProject('parquet');
    const { manifest, parts } = await readExport(project, kind('parquet'), 'parquet');
    const expected = sorted(await readAnswer(project));
    expect(expected.length).toBeGreaterThan(PART_ROWS / 2);
    expect(manifest.rows).toBe(expected.length);
    const read = parts.map((part) => readArrow(part));
    expect(read[0]?.columns.map(({ name, type }) => [name, type])).toEqual([
      ['campaign', 'Utf8'],
      ['campaign_name', 'Utf8'],
      ['ad', 'Utf8'],
      ['ad_name', 'Utf8'],
      ['spend', 'Float64'],
      ['installs', 'Int64'],
      ['cpi', 'Float64'],
    ]);
    expectSame(sorted(read.flatMap(({ rows }) => rows)), expected);
    const again = await Promise.all(parts.map((part) => readParquet(Uint8Array.from(part).buffer)));
    expectSame(sorted(again.flat().map(asDoubles)), sorted(expected.map((row) => asDoubles(row))));
  });

  test('NDJSON', async () => {
    const project = readProject('ndjson');
    const { parts } = await readExport(project, kind('ndjson'), 'ndjson');
    expectSame(sorted(parts.flatMap((part) => readLines(part.toString()))), sorted(await readAnswer(project)));
  });

  test('CSV', async () => {
    const project = readProject('csv');
    const { parts } = await readExport(project, kind('csv'), 'csv');
    const rows = parts.flatMap((part) => parse<Json>(part, { columns: true }));
    expectSame(sorted(rows), sorted((await readAnswer(project)).map(asTexts)));
  });
});
