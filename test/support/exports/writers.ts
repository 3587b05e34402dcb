/** Processes that write scheduled exports to a bucket that fails, on engines that none of them takes along. */
import { createHash, randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readPostgres } from '../postgres';
import { idByName } from '../s2s/s2s-client';
import { startService, temporaryFolder, within, type RunningService } from '../service';
import { startBeside } from '../shared-service';
import { BUCKET, BUCKET_KEY, startFailingBucket, type FailingBucket } from './failing-bucket';

const [ROUND_MS, ASK_MS] = [120_000, 250];

export interface Manifest {
  readonly revision: number;
  readonly rows: number;
  readonly parts: readonly { readonly path: string; readonly bytes: number; readonly sha256: string }[];
}

interface Options {
  readonly writers: number;
  readonly partRows: number;
  readonly env?: NodeJS.ProcessEnv;
  /** Called after each request to the bucket, with the place that it was about. */
  readonly afterEach: (place: string) => void;
}

export interface Writers {
  readonly engines: RunningService;
  readonly bucket: FailingBucket;
  readonly writers: readonly RunningService[];
  readonly postgres: ReturnType<typeof readPostgres>;
  dispose(): Promise<void>;
}

export async function startWriters({ writers: count, partRows, env, afterEach }: Options): Promise<Writers> {
  const folder = temporaryFolder();
  const writers: RunningService[] = [];
  const [engines, bucket] = await Promise.all([
    // It writes none itself: its engines would end with it.
    startService({ EXPORT_BY_PROJECTS: 'false', LIMIT_QUERY: 'off' }),
    startFailingBucket({
      folder: path.join(folder, 'bucket'),
      processes: count,
      kill: (index) => writers[index]?.child.kill('SIGKILL'),
      afterEach,
    }),
  ]);
  const postgres = readPostgres(engines);
  const starting = bucket.endpoints.map((endpoint) =>
    startBeside(engines, {
      ROLES: 'api,attribution',
      EXPORT_S3_ENDPOINT: endpoint,
      EXPORT_S3_KEY: BUCKET_KEY,
      EXPORT_S3_SECRET: BUCKET_KEY,
      EXPORT_PART_ROWS: String(partRows),
      EXPORT_CHECK_SECONDS: '1',
      ...env,
    }),
  );
  writers.push(...(await Promise.all(starting)));
  return {
    engines,
    bucket,
    writers,
    postgres,
    async dispose() {
      await Promise.all(writers.map((writer) => writer.dispose()));
      await postgres.close();
      await engines.dispose();
      await bucket.close();
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

export const nameKey = (place: string) => `key-of-exports-${place}`;

/** One project for each place, with one export of its app events; resolves with the IDs of the projects, by place. */
export async function applyPlaces(
  { writers, engines }: Writers,
  places: readonly string[],
  inFolder: readonly string[] = [],
): Promise<Map<string, number>> {
  const nameDestination = (place: string) =>
    inFolder.includes(place) ? { type: 'folder', path: place } : { type: 's3', bucket: BUCKET, prefix: place };
  const writeExport = (name: string) => ({
    name,
    kind: 'app-events',
    format: 'ndjson',
    every: 'day',
    destination: nameDestination(name),
  });
  await (writers[0] as RunningService).apply({
    accounts: [{ name: 'Acme' }],
    projects: places.map((place) => ({
      name: place,
      account: 'Acme',
      timezone: 'UTC',
      server_keys: [nameKey(place)],
      exports: [writeExport(place)],
    })),
  });
  const projects = new Map<string, number>();
  for (const place of places) projects.set(place, await idByName(engines, 'projects', place));
  return projects;
}

/** Stores app events of a day in every project: `count` of them, numbered from `first` on. */
export async function addEvents(
  { engines }: Writers,
  projects: ReadonlyMap<string, number>,
  { day, first, count }: { readonly day: string; readonly first: number; readonly count: number },
): Promise<void> {
  await engines.clickhouse.insert({
    table: 'adtrail.app_events',
    format: 'JSONEachRow',
    values: [...projects.values()].flatMap((project_id) =>
      Array.from({ length: count }, (_, i) => ({
        project_id,
        install_id: `${day}-${first + i}`,
        event_key: randomUUID(),
        id: randomUUID(),
        type: 'event',
        time: `${day} 12:00:00`,
        received_at: `${day} 12:00:00`,
        version: 1,
      })),
    ),
  });
}

/** What a manifest names and is not there as it says; `read` reads a part by its path. */
export const findBroken = ({ parts }: Manifest, read: (part: string) => Buffer | undefined): string[] =>
  parts
    .filter(({ path: part, bytes, sha256 }) => {
      const data = read(part);
      return data?.length !== bytes || createHash('sha256').update(data).digest('hex') !== sha256;
    })
    .map(({ path: part }) => part);

/** Until `isDone`, as if nobody had failed and everything were due; who was killed starts again. */
export const untilWritten = (
  { writers, bucket, postgres }: Writers,
  what: string,
  isDone: () => Promise<boolean> | boolean,
): Promise<void> =>
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
  ).then(
    () => undefined,
    async (error: unknown) => {
      const periods = await postgres.rows('SELECT export_id, period, revision, state, rows FROM export_periods');
      const told = writers.map((writer) => writer.output().slice(-2_000)).join('\n');
      throw new Error(`${what} not: ${JSON.stringify([bucket.failures, periods])}\n${told}`, { cause: error });
    },
  );
