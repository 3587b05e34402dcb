/** Periods, places and failures of scheduled exports (docs/contract/scheduled-exports.md). */
import fs from 'node:fs';
import path from 'node:path';
import {
  isSameBucket,
  nameExportPlace,
  nameFolder,
  readDestination,
  type Destination,
} from '../../../src/configuration/exports';
import { UnavailableError } from '../../../src/errors';
import { groupByRows } from '../../../src/export/compare';
import { createRowCounter } from '../../../src/export/row-counter';
import { explainFailure, mayReach } from '../../../src/export/open-place';
import {
  countParts,
  namePart,
  namePeriod,
  namePeriodFolder,
  readBeginning,
  readPeriod,
  readWait,
} from '../../../src/export/periods';
import { LATE_SECONDS, readState } from '../../../src/export/state';
import { createAddresses } from '../../../src/deliveries/addresses';
import { temporaryFolder } from '../../support/paths';

const AT = Date.parse('2026-11-01T22:45:10.500Z');

test('an export is late when the alert says so', () => {
  const rules = fs.readFileSync(path.join(__dirname, '../../../deploy/prometheus/adtrail.rules.yml'), 'utf8');
  const [, seconds] = /adtrail_scheduled_export_lag_seconds\) > (\d+)/.exec(rules) ?? [];
  expect(Number(seconds)).toBe(LATE_SECONDS);
});

describe('periods', () => {
  test.each([
    ['2026-11-01', 'UTC', '2026-11-01T00:00:00.000Z', '2026-11-02T00:00:00.000Z'],
    ['2026-11-01', 'Asia/Kolkata', '2026-10-31T18:30:00.000Z', '2026-11-01T18:30:00.000Z'],
    // 25 hours, for clocks are set back.
    ['2026-10-25', 'Europe/Berlin', '2026-10-24T22:00:00.000Z', '2026-10-25T23:00:00.000Z'],
    ['2026-11-01T13', 'UTC', '2026-11-01T13:00:00.000Z', '2026-11-01T14:00:00.000Z'],
  ])('%s in %s is from %s until %s', (name, timezone, from, to) => {
    const period = readPeriod(name, timezone);
    expect([period.from, period.to].map((at) => new Date(at).toISOString())).toEqual([from, to]);
    expect(namePeriod(name.includes('T') ? 'hour' : 'day', timezone, period.from)).toBe(name);
    expect(namePeriod(name.includes('T') ? 'hour' : 'day', timezone, period.to)).not.toBe(name);
  });

  test.each([
    ['hour', 'UTC', '2026-11-01 22:00:00', '2026-11-01T22'],
    ['day', 'UTC', '2026-11-01 00:00:00', '2026-11-01'],
    ['day', 'Asia/Kolkata', '2026-11-02 00:00:00', '2026-11-02'],
  ] as const)('a %s in %s', (every, timezone, beginning, name) => {
    expect([readBeginning(every, timezone, AT), namePeriod(every, timezone, AT)]).toEqual([beginning, name]);
  });

  test('folders, parts and waits', () => {
    expect(namePeriodFolder('2026-11-01')).toBe('day=2026-11-01');
    expect(namePeriodFolder('2026-11-01T03')).toBe('day=2026-11-01/hour=03');
    expect(namePart(7, 'parquet')).toBe('part-007.parquet');
    expect([0, 1, 10, 11].map((rows) => countParts(rows, 10))).toEqual([0, 1, 1, 2]);
    expect([0, 1, 2, 100].map(readWait)).toEqual([30_000, 60_000, 120_000, 3_600_000]);
  });
});

test('neighbours are compared together up to so many rows', () => {
  const written = [
    [0, 4],
    [1, 4],
    [2, 4],
    [3, 25],
    [4, 1],
    // Between them is one that is not compared now.
    [6, 1],
    [7, 0],
  ].map(([at, rows]) => ({ at, rows })) as { at: number; rows: number }[];
  const groups = groupByRows(written, 10, ({ at }) => ({ from: at, to: at + 1 }));
  expect(groups.map((group) => group.map(({ at }) => at))).toEqual([[0, 1], [2], [3], [4], [6, 7]]);
  expect(groupByRows([], 10, () => ({ from: 0, to: 1 }))).toEqual([]);
});

test.each([
  ['ndjson', '{"a":"\\n\\""}\n{"a":2}\n', 2],
  ['csv', 'a,b\n1,"x\n""y\n"\n2,z\n', 2],
  ['csv', 'a,b\n1,x\n2,z\n', 2],
] as const)('rows of %s are counted, wherever chunks end: %j', async (format, text, rows) => {
  const count = async (bytes: string, size: number) => {
    const { through, isWhole } = createRowCounter(format);
    for (let at = 0; at < bytes.length; at += size) through.write(Buffer.from(bytes.slice(at, at + size)));
    through.end();
    expect(Buffer.concat(await through.toArray()).toString()).toBe(bytes);
    return [rows - 1, rows, rows + 1].filter(isWhole);
  };
  for (const size of [1, 2, 5, 100]) {
    expect(await count(text, size)).toEqual([rows]);
    expect(await count(text.slice(0, -1), size)).toEqual([]);
  }
  expect(await count(text.slice(0, text.trimEnd().lastIndexOf('\n') + 1), 4)).toEqual([rows - 1]);
});

test.each([
  ['a whole one', ['PAR1 rows', ' footer P', 'AR', '1'], true],
  ['one without its footer', ['PAR1 rows'], false],
  ['nothing', [], false],
] as const)('of Parquet %s is known by its end', async (_, chunks, isWhole) => {
  const counter = createRowCounter('parquet');
  for (const chunk of chunks) counter.through.write(Buffer.from(chunk));
  counter.through.end();
  await counter.through.toArray();
  expect(counter.isWhole(1)).toBe(isWhole);
});

test.each([
  [undefined, 'https://s3.eu-central-1.amazonaws.com', true],
  ['https://s3.amazonaws.com/', undefined, true],
  ['http://minio.example.com', 'https://minio.example.com/', true],
  ['https://minio.example.com', 'https://minio.example.com:9000', false],
  [undefined, 'https://s3.amazonaws.com.example.com', false],
])('a bucket at %s and one of that name at %s', (one, other, isSame) => {
  const at = (endpoint?: string) => ({
    type: 's3' as const,
    bucket: 'lake',
    prefix: '',
    ...(endpoint && { endpoint }),
  });
  expect(isSameBucket(at(one), at(other))).toBe(isSame);
  expect(isSameBucket(at(one), { ...at(other), bucket: 'sea' })).toBe(false);
});

describe('places', () => {
  const folder = temporaryFolder();
  afterAll(() => fs.rmSync(folder, { recursive: true }));
  fs.mkdirSync(path.join(folder, 'in'));
  fs.symlinkSync('/', path.join(folder, 'in', 'out'));
  fs.symlinkSync(path.join(folder, 'in'), path.join(folder, 'in', 'same'));
  const outer = path.join(folder, 'in');
  const addresses = createAddresses([{ address: '10.1.0.0', prefix: 16 }]);
  const places = {
    folder: outer as string | undefined,
    hasKeys: true,
    mayReach: (endpoint: string) => mayReach(addresses, endpoint),
  };
  const s3 = { type: 's3' as const, bucket: 'lake', prefix: 'a/b' };
  const at = (given: string) => ({ type: 'folder' as const, path: given });

  test.each([
    [at('lake/shop'), { type: 'folder', path: 'lake/shop' }],
    [at(`${outer}/lake/`), { type: 'folder', path: 'lake' }],
    [at('same/lake'), { type: 'folder', path: 'lake' }],
    [
      { ...s3, prefix: '/a/b=c/' },
      { type: 's3', bucket: 'lake', prefix: 'a/b=c' },
    ],
    [
      { ...s3, prefix: '' },
      { type: 's3', bucket: 'lake', prefix: '' },
    ],
    [
      { ...s3, endpoint: 'http://10.1.2.3:9000' },
      { ...s3, endpoint: 'http://10.1.2.3:9000' },
    ],
    [
      { ...s3, endpoint: 'https://s3.acme.example', region: 'eu' },
      { ...s3, endpoint: 'https://s3.acme.example', region: 'eu' },
    ],
  ])('%j is taken', (given, destination) => {
    expect(readDestination(given, places)).toEqual(destination);
  });

  test.each([
    [at('../x'), 'path: must have no ..'],
    [at('a/..'), 'path: must have no ..'],
    [at('a\\..\\b'), 'path: must have no ..'],
    [at('/etc'), 'path: is not below EXPORT_DIR'],
    [at(`${outer}x`), 'path: is not below EXPORT_DIR'],
    [at('out/tmp'), 'path: leads out of EXPORT_DIR'],
    [at(' '), 'path: is required'],
    [{ type: 's3' as const, prefix: '' }, 'bucket: is required'],
    [{ type: 's3' as const, bucket: 'lake' }, 'prefix: is required'],
    [{ ...s3, path: 'x' }, 'path: has no place in a destination of type s3'],
    [{ ...at('x'), endpoint: 'https://x.example' }, 'endpoint: has no place in a destination of type folder'],
    [{ ...s3, prefix: 'a//b' }, 'prefix: takes letters, digits and . _ = - between single slashes'],
    [{ ...s3, prefix: 'a/../b' }, 'prefix: takes letters, digits and . _ = - between single slashes'],
    [{ ...s3, endpoint: 'http://127.0.0.1:9000' }, 'endpoint: is not a public address'],
    [{ ...s3, endpoint: 'http://[::ffff:10.0.0.1]' }, 'endpoint: is not a public address'],
  ])('%j is refused: %s', (given, message) => {
    expect(() => readDestination(given, places)).toThrow(message);
  });

  test('without a folder or keys there are none', () => {
    expect(() => readDestination(at('x'), { ...places, folder: undefined })).toThrow('type: set EXPORT_DIR');
    expect(() => readDestination(s3, { ...places, hasKeys: false })).toThrow('type: set EXPORT_S3_KEY');
  });

  test('two exports that would write over each other have one place', () => {
    const place = (destination: Destination, kind: string, name = 'A') =>
      nameExportPlace(destination, nameFolder(kind, name));
    expect(place(at('a/./b'), 'clicks')).toBe(place(at('a/b/'), 'clicks'));
    expect(place(at('a'), 'clicks')).not.toBe(place(at('a'), 'installs'));
    expect(place(s3, 'query', 'My Query!')).toBe('s3://lake/a/b/query-my-query');
    expect(place(s3, 'query', '→')).toBe('s3://lake/a/b/query-rows');
  });

  test.each([
    [new UnavailableError('ClickHouse at 10.0.0.5'), 'the rows could not be read'],
    [Object.assign(new Error('x'), { code: 'EACCES', syscall: 'open', path: '/srv/x' }), 'the folder: EACCES'],
    [Object.assign(new Error('bad AKIA with hush'), { name: 'Denied' }), 'Denied: bad [HIDDEN] with [HIDDEN]'],
    ['x', 'unknown'],
  ])('%s is explained without secrets', (error, reason) => {
    const s3Keys = { key: 'AKIA', secret: 'hush' };
    expect(explainFailure(error, s3Keys)).toBe(reason);
  });
});

test.each([
  [{ enabled: false, failures: 3 }, 'off'],
  [{ failures: 1, lagSeconds: 9_999 }, 'failing'],
  [{ lagSeconds: 3_601, waiting: 2 }, 'late'],
  [{ lagSeconds: 3_600, waiting: 2 }, 'writing'],
  [{}, 'up_to_date'],
])('%j is %s', (doing, state) => {
  expect(readState({ enabled: true, failures: 0, lagSeconds: 0, waiting: 0, ...doing })).toBe(state);
});
