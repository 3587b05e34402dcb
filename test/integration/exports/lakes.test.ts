/**
 * How the files of scheduled exports are read whole (dashboard/src/pages/connect/lakes.ts, docs/guides/connect.md):
 * by the manifests each row is there once, while the revision before lies beside it. What the guide has for pandas,
 * polars and DuckDB runs as it stands where PYTHON, or python3, has them.
 */
import { execFile, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import S3rver from 's3rver';
import { LAKE, READ_WITH_DUCKDB, READ_WITH_PANDAS, READ_WITH_POLARS } from '../../../dashboard/src/pages/connect/lakes';
import { addDays } from '../../../src/lib/time';
import { appEvent, type Json } from '../../support/collect/collect-client';
import { postEvents } from '../../support/reports/app-report';
import { readParquet } from '../../support/reports/parquet';
import { idByName } from '../../support/s2s/s2s-client';
import { eventually, freePort, temporaryFolder, type RunningService } from '../../support/service';
import { sharedService, startBeside } from '../../support/shared-service';
import { ownNames } from '../../support/workspace/own-names';

const shared = sharedService();
const own = ownNames('lakes');
const DAY = addDays(new Date().toISOString().slice(0, 10), -1);
const KEY = 'S3RVER';
const EVENTS = 90;
const folder = temporaryFolder();
const out = path.join(folder, 'out');
const inBucket = path.join(folder, 'bucket', 'lake');
const places = {
  folder: path.join(out, 'shop/app-events'),
  bucket: 's3://lake/shop/app-events',
};
let bucket: S3rver;
let endpoint: string;
let service: RunningService;
let project: number;

const send = (from: number, to: number) =>
  postEvents(
    service,
    own('key'),
    Array.from({ length: to - from }, (_, i) =>
      appEvent('open', { app_id: 'com.lakes.shop', install_id: `lakes-${from + i}` }),
    ),
  );
/** Moves all events to the day before, a minute apart from noon on: they lie in two hours. */
const moveBack = () =>
  shared.clickhouse.command({
    query: `INSERT INTO adtrail.app_events
      SELECT * REPLACE (
        toDateTime64('${DAY} 12:00:00', 3, 'UTC') + INTERVAL row_number() OVER (ORDER BY install_id) MINUTE
          AS received_at,
        version + 1 AS version)
      FROM (SELECT * FROM adtrail.app_events FINAL WHERE project_id = ${project})`,
  });
const inSql = () =>
  shared.rows<Json>(`SELECT * FROM analytics.app_events WHERE project_id = ${project} ORDER BY id
    SETTINGS date_time_output_format = 'iso'`);

const isObject = '._S3rver_object';
/** The paths of all files in a folder, also of the bucket's, that end like this. */
const findFiles = (at: string, end: string) =>
  fs
    .readdirSync(at, { recursive: true, encoding: 'utf8' })
    .map((file) => path.join(at, file))
    .filter(
      (file) =>
        file.replace(isObject, '').endsWith(end) && fs.statSync(file).isFile() && !file.endsWith('_metadata.json'),
    );
interface Manifest {
  readonly revision: number;
  readonly rows: number;
  readonly parts: readonly { readonly path: string }[];
}
const readManifest = (file: string) => JSON.parse(fs.readFileSync(file, 'utf8')) as Manifest;
const find = (at: string) => (fs.existsSync(at) ? findFiles(at, 'manifest.json') : []);
const isWritten = (at: string, revision: number, rows: number) =>
  eventually(
    `revision ${revision} in ${at}`,
    () => {
      // The bucket of the test writes a file that can be seen before it is whole.
      const files = find(at).filter((file) => fs.readFileSync(file, 'utf8').endsWith('\n}\n'));
      const manifests = files.map(readManifest);
      const sum = manifests.reduce((total, one) => total + one.rows, 0);
      const isNew = manifests.some((one) => one.revision >= revision);
      return Promise.resolve(sum === rows && isNew ? true : undefined);
    },
    110_000,
  );

beforeAll(async () => {
  const port = await freePort();
  endpoint = `http://127.0.0.1:${port}`;
  bucket = new S3rver({
    port,
    address: '127.0.0.1',
    silent: true,
    directory: path.join(folder, 'bucket'),
    configureBuckets: [{ name: 'lake', configs: [] }],
  });
  await bucket.run();
  fs.mkdirSync(out);
  service = await startBeside(shared, {
    ROLES: 'api,collect,attribution',
    EXPORT_DIR: out,
    EXPORT_S3_ENDPOINT: endpoint,
    EXPORT_S3_KEY: KEY,
    EXPORT_S3_SECRET: KEY,
    EXPORT_PART_ROWS: '40',
    EXPORT_CHECK_SECONDS: '1',
  });
  const events = { kind: 'app-events', format: 'parquet' };
  await service.apply(
    own.document({
      accounts: [{ name: 'Acme' }],
      projects: [
        {
          name: 'Shop',
          account: 'Acme',
          timezone: 'UTC',
          server_keys: ['key'],
          apps: [{ platform: 'ANDROID', app_id: 'com.lakes.shop' }],
          exports: [
            { ...events, name: 'By the day', every: 'day', destination: { type: 'folder', path: 'shop' } },
            {
              ...events,
              name: 'By the hour',
              every: 'hour',
              destination: { type: 's3', bucket: 'lake', prefix: 'shop' },
            },
          ],
        },
      ],
    }),
  );
  project = await idByName(shared, 'projects', own('Shop'));
  await send(0, EVENTS);
  await eventually('the events are stored', async () => ((await inSql()).length === EVENTS ? true : undefined));
  await moveBack();
  const { exports } = (await (
    await service.request('/api/v1/exports', { headers: { 'service-key': own('key') } })
  ).json()) as { exports: { id: number }[] };
  for (const { id } of exports)
    await service.request(`/api/v1/exports/${id}/backfill`, {
      method: 'POST',
      headers: { 'service-key': own('key'), 'Content-Type': 'application/json' },
      body: JSON.stringify({ from: DAY, to: DAY }),
    });
  await Promise.all([isWritten(places.folder, 1, EVENTS), isWritten(inBucket, 1, EVENTS)]);
  await send(EVENTS, EVENTS + 5);
  await eventually('later ones, too', async () => ((await inSql()).length === EVENTS + 5 ? true : undefined));
  await moveBack();
  await Promise.all([isWritten(places.folder, 2, EVENTS + 5), isWritten(inBucket, 2, EVENTS + 5)]);
}, 300_000);
afterAll(async () => {
  await service.dispose();
  await bucket.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

const readRows = async (file: string) => readParquet(Uint8Array.from(fs.readFileSync(file)).buffer);
const readAll = async (files: readonly string[]) => (await Promise.all(files.map(readRows))).flat();
const readIds = (rows: readonly Json[]) => rows.map(({ id }) => String(id)).sort();

test.each([
  ['a folder, by the day', places.folder],
  ['a bucket, by the hour', inBucket],
])('in %s the parts of the manifests are each row once; all files are not', async (_, at) => {
  const expected = readIds(await inSql());
  const end = at === inBucket ? isObject : '';
  const named = find(at).flatMap((file) =>
    readManifest(file).parts.map((part) => path.join(path.dirname(file), part.path) + end),
  );
  expect(readIds(await readAll(named))).toEqual(expected);
  expect((await readAll(findFiles(at, '.parquet'))).length).toBeGreaterThan(expected.length);
});

const python = process.env.PYTHON ?? 'python3';
const has = (...modules: string[]) => spawnSync(python, ['-c', `import ${modules.join()}`]).status === 0;
/** A test that needs modules of Python, and says so where they are not. */
const testWith = (modules: readonly string[]) =>
  has(...modules)
    ? test
    : (name: string, run: () => Promise<void>) => test.skip(`${name}: no ${modules.join()} here`, run);
/** The bucket answers from this process meanwhile. */
async function runPython(lines: readonly string[]): Promise<unknown> {
  const env = {
    PATH: process.env.PATH,
    AWS_ACCESS_KEY_ID: KEY,
    AWS_SECRET_ACCESS_KEY: KEY,
    AWS_REGION: 'us-east-1',
    AWS_ENDPOINT_URL: endpoint,
  };
  const { stdout } = await promisify(execFile)(python, ['-c', lines.join('\n')], { env });
  return JSON.parse(stdout) as unknown;
}
const readFrom = (lines: readonly string[], at: string, instead: string = LAKE.bucket) =>
  lines.map((line) => line.replace(instead, at));

describe.each([
  ['pandas', READ_WITH_PANDAS, 'tolist'],
  ['polars', READ_WITH_POLARS, 'to_list'],
] as const)('%s', (module, snippet, toList) => {
  testWith([module, 'pyarrow'])('reads the folder and the bucket', async () => {
    const expected = readIds(await inSql());
    for (const at of [`file://${places.folder}`, places.bucket])
      expect(await runPython([...readFrom(snippet, at), `print(json.dumps(sorted(rows['id'].${toList}())))`])).toEqual(
        expected,
      );
  });
});

testWith(['duckdb'])('DuckDB reads the folder', async () => {
  const statements = readFrom(READ_WITH_DUCKDB, places.folder).join('\n');
  expect(
    await runPython([
      'import duckdb, json',
      `counted = duckdb.sql(${JSON.stringify(statements)}).fetchone()`,
      'ids = duckdb.sql("SELECT id FROM read_parquet(getvariable(\'parts\')) ORDER BY id").fetchall()',
      'print(json.dumps([counted[0], [row[0] for row in ids]]))',
    ]),
  ).toEqual([EVENTS + 5, readIds(await inSql())]);
});
