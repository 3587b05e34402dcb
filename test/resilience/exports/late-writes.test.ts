/**
 * Requests of scheduled exports that reach the bucket long after their sender was killed, or has asked once more: what
 * they overwrite is whole all the same, and is made up for (docs/contract/scheduled-exports.md).
 */
import { createHash, randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { addDays } from '../../../src/lib/time';
import {
  BUCKET,
  BUCKET_KEY,
  LATE_FAULTS,
  startFailingBucket,
  type FailingBucket,
  type Phase,
} from '../../support/exports/failing-bucket';
import { readPostgres } from '../../support/postgres';
import { idByName } from '../../support/s2s/s2s-client';
import { startService, temporaryFolder, within, type RunningService } from '../../support/service';
import { startBeside } from '../../support/shared-service';

const DAY = addDays(new Date().toISOString().slice(0, 10), -1);
const WRITERS = 2;
const WRITING: readonly Phase[] = ['first part', 'later part', 'manifest', 'success'];
/** Each happens to the only export of a project of its own. */
const CASES = [...WRITING, 'removal' as const].flatMap((phase) =>
  LATE_FAULTS.map((fault) => ({ phase, fault, place: `${phase} ${fault}`.replaceAll(' ', '-') })),
);
/** Rows at first, and of a part. */
const [ROWS, PART_ROWS] = [12, 8];
const [ROUND_MS, ASK_MS] = [120_000, 250];

const folder = temporaryFolder();
let engines: RunningService;
let writers: RunningService[] = [];
let bucket: FailingBucket;
let postgres: ReturnType<typeof readPostgres>;
const projects = new Map<string, number>();
let rows = 0;
const broken: string[] = [];

type Manifest = { revision: number; rows: number; parts: { path: string; bytes: number; sha256: string }[] };
const nameFolder = (place: string) => `${place}/app-events/day=${DAY}`;
const readText = (place: string, name: string) => bucket.read(`${nameFolder(place)}/${name}`)?.toString();
function readManifest(place: string): Manifest {
  try {
    return JSON.parse(readText(place, 'manifest.json') ?? '') as Manifest;
  } catch {
    // The server is writing it, or none is there.
    return { revision: 0, rows: 0, parts: [] };
  }
}

/** Whether all that the manifest names is there, as it says. */
function isWhole(place: string): boolean {
  return readManifest(place).parts.every(({ path: part, bytes, sha256 }) => {
    const data = bucket.read(`${nameFolder(place)}/${part}`);
    return data?.length === bytes && createHash('sha256').update(data).digest('hex') === sha256;
  });
}

async function addRows(count: number): Promise<void> {
  await engines.clickhouse.insert({
    table: 'adtrail.app_events',
    format: 'JSONEachRow',
    values: [...projects.values()].flatMap((project_id) =>
      Array.from({ length: count }, (_, i) => ({
        project_id,
        install_id: `i-${rows + i}`,
        event_key: randomUUID(),
        id: randomUUID(),
        type: 'event',
        time: `${DAY} 12:00:00`,
        received_at: `${DAY} 12:00:00`,
        version: 1,
      })),
    ),
  });
  rows += count;
}

/** As if nobody had failed and everything were due; who was killed starts again. */
const until = (what: string, isDone: () => Promise<boolean> | boolean) =>
  within(
    what,
    async () => {
      await Promise.all(writers.filter(({ child }) => child.signalCode !== null).map((writer) => writer.restart()));
      if (await isDone()) return true;
      await postgres.rows('UPDATE export_states SET due_at = now()');
      await sleep(ASK_MS);
      return undefined;
    },
    ROUND_MS,
  ).catch((error: unknown) => {
    throw new Error(writers.map((writer) => writer.output().slice(-2_000)).join('\n'), { cause: error });
  });
/** The time of former revisions is over: of the exports of some names. */
const endGrace = (cases: readonly { place: string }[]) =>
  postgres.rows(
    `UPDATE export_periods SET remove_at = now() FROM scheduled_exports
     WHERE id = export_id AND state = 'former' AND name = ANY ($1)`,
    [cases.map(({ place }) => place)],
  );
const areFormerGone = async () => {
  const left = await postgres.rows("SELECT FROM export_periods WHERE state = 'former' AND remove_at <= now()");
  return left.length === 0;
};

/** Whether the ledger, and what stands in the bucket, have all rows. */
async function isUpToDate(): Promise<boolean> {
  const ledger = await postgres.rows<{ place: string; revision: number; rows: number }>(
    `SELECT name AS place, revision, rows FROM export_periods JOIN scheduled_exports ON id = export_id
     WHERE state = 'written'`,
  );
  return CASES.every(({ place }) => {
    const noted = ledger.find((one) => one.place === place);
    const manifest = readManifest(place);
    return (
      [noted?.rows, manifest.rows].every((count) => Number(count) === rows) &&
      manifest.revision === noted?.revision &&
      readText(place, '_SUCCESS') === `${JSON.stringify({ revision: manifest.revision })}\n`
    );
  });
}

beforeAll(async () => {
  [engines, bucket] = await Promise.all([
    // It writes none itself: its engines would end with it.
    startService({ EXPORT_BY_PROJECTS: 'false', LIMIT_QUERY: 'off' }),
    startFailingBucket({
      folder: path.join(folder, 'bucket'),
      processes: WRITERS,
      kill: (index) => writers[index]?.child.kill('SIGKILL'),
      afterEach: (place) => void (isWhole(place) || broken.push(place)),
    }),
  ]);
  postgres = readPostgres(engines);
  writers = await Promise.all(
    bucket.endpoints.map((endpoint) =>
      startBeside(engines, {
        ROLES: 'api,attribution',
        EXPORT_S3_ENDPOINT: endpoint,
        EXPORT_S3_KEY: BUCKET_KEY,
        EXPORT_S3_SECRET: BUCKET_KEY,
        EXPORT_PART_ROWS: String(PART_ROWS),
        EXPORT_CHECK_SECONDS: '1',
      }),
    ),
  );
  await (writers[0] as RunningService).apply({
    accounts: [{ name: 'Acme' }],
    projects: CASES.map(({ place }) => ({
      name: place,
      account: 'Acme',
      timezone: 'UTC',
      server_keys: [`key-of-late-writes-${place}`],
      exports: [
        {
          name: place,
          kind: 'app-events',
          format: 'ndjson',
          every: 'day',
          destination: { type: 's3', bucket: BUCKET, prefix: place },
        },
      ],
    })),
  });
  for (const { place } of CASES) projects.set(place, await idByName(engines, 'projects', place));
  await addRows(ROWS);
  await postgres.rows(
    'INSERT INTO export_backfills (export_id, from_day, to_day) SELECT id, $1, $1 FROM scheduled_exports',
    [DAY],
  );
}, 180_000);
afterAll(async () => {
  await Promise.all(writers.map((writer) => writer.dispose()));
  await postgres.close();
  await engines.dispose();
  await bucket.close();
  fs.rmSync(folder, { recursive: true, force: true });
});

test('what arrives late replaces no part that a manifest names, and no manifest for long', async () => {
  await until('everything is written', isUpToDate);
  for (const { phase, fault, place } of CASES)
    if (phase !== 'removal') bucket.failures.push({ phase, fault, prefix: place, times: 1 });
  await addRows(1);
  await until('it is written again', async () => bucket.failures.length === 0 && (await isUpToDate()));
  const removing = CASES.filter(({ phase }) => phase === 'removal');
  for (const { phase, fault, place } of removing) bucket.failures.push({ phase, fault, prefix: place, times: 1 });
  await endGrace(removing);
  await until('former revisions go', async () => bucket.failures.length === 0 && (await areFormerGone()));
  await addRows(1);
  await until('it is written once more', isUpToDate);
  expect(bucket.countLate()).toBe(CASES.length);
  const before = new Map(CASES.map(({ place }) => [place, readManifest(place).revision]));

  await bucket.deliver();
  const overtaken = CASES.filter(({ place }) => readManifest(place).revision !== before.get(place));
  expect(overtaken.map(({ phase }) => phase)).toEqual(['manifest', 'manifest']);
  await until('what it has replaced is written anew', isUpToDate);
  for (const { place } of overtaken) expect(readManifest(place).revision).toBeGreaterThan(before.get(place) as number);
  expect(broken).toEqual([]);
}, 600_000);

test('in the end nothing is left of it', async () => {
  await addRows(1);
  await until('it is written', isUpToDate);
  await endGrace(CASES);
  await until('former revisions are gone', areFormerGone);
  for (const { place } of CASES) {
    const { parts } = readManifest(place);
    expect({ place, there: bucket.list(nameFolder(place)).sort() }).toEqual({
      place,
      there: ['_SUCCESS', 'manifest.json', ...parts.map((part) => part.path)].sort(),
    });
  }
  expect(broken).toEqual([]);
}, 300_000);
