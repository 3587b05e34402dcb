/**
 * Scheduled exports while processes are killed and the bucket fails in every phase of them: whoever reads sees no
 * manifest, or one whose parts are all there, and in the end every period is (docs/contract/scheduled-exports.md).
 */
import fs from 'node:fs';
import path from 'node:path';
import { addDays } from '../../../src/lib/time';
import type { Json } from '../../support/collect/collect-client';
import { FAULTS, PHASES, type Failure } from '../../support/exports/failing-bucket';
import {
  addEvents,
  applyPlaces,
  findBroken,
  nameKey,
  startWriters,
  untilWritten,
  type Manifest,
  type Writers,
} from '../../support/exports/writers';
import { temporaryFolder } from '../../support/service';
import { seeded, some } from '../../support/soak';

const random = seeded();
const TODAY = new Date().toISOString().slice(0, 10);
const DAYS = [1, 2, 3].map((ago) => addDays(TODAY, -ago));
const IN_BUCKET = ['a', 'b', 'c', 'd'];
const IN_FOLDER = ['e', 'f'];
/** Each is the place of one project, as a process writes one export of a project at a time. */
const PLACES = [...IN_BUCKET, ...IN_FOLDER];
/** Rows of a day at first, and of a part: two parts and more. */
const [ROWS, PART_ROWS] = [12, 8];
/** A folder is read so often. */
const READ_MS = 10;

const FAILURES: readonly Pick<Failure, 'phase' | 'fault'>[] = PHASES.flatMap((phase) =>
  FAULTS.filter((fault) => fault !== 'refused' || phase === 'removal').map((fault) => ({ phase, fault })),
);
/** Kills in a folder, by the beginning of the name of what is written, or removed. */
const KILLS = ['part-000', 'part-001', 'manifest.json', '_SUCCESS']
  .flatMap((name) => ['within', 'before', 'after'].map((when) => `${name} ${when}`))
  .concat('r before', 'r after');

const folder = temporaryFolder();
const [out, kills] = [path.join(folder, 'out'), path.join(folder, 'kills')];
let all: Writers;
let projects = new Map<string, number>();
let reading: NodeJS.Timeout;
const rowsByDay = new Map(DAYS.map((day) => [day, 0]));
const broken: string[] = [];

const nameDay = (place: string, day: string) => `${place}/app-events/day=${day}`;
function readFile(file: string): Buffer | undefined {
  try {
    return fs.readFileSync(path.join(out, file));
  } catch {
    return undefined;
  }
}
const readIn = (place: string, name: string) => (IN_BUCKET.includes(place) ? all.bucket.read(name) : readFile(name));

/** The revision that _SUCCESS says is there; 0 for none. */
function readMark(place: string, day: string): number {
  const text = readIn(place, `${nameDay(place, day)}/_SUCCESS`)?.toString();
  return text ? (JSON.parse(text) as { revision: number }).revision : 0;
}

/** Reads as others do: a manifest, and what it names; where that is gone, the manifest may be another one by now. */
function look(place: string): void {
  for (const day of DAYS) {
    const name = `${nameDay(place, day)}/manifest.json`;
    const found = readIn(place, name)?.toString();
    if (found === undefined) {
      if (readMark(place, day) > 0 && readIn(place, name) === undefined) broken.push(`${name} is not there`);
      continue;
    }
    const manifest = JSON.parse(found) as Manifest;
    const mark = readMark(place, day);
    if (mark > manifest.revision && readIn(place, name)?.toString() === found)
      broken.push(`${nameDay(place, day)}/_SUCCESS`);
    const missing = findBroken(manifest, (part) => readIn(place, `${nameDay(place, day)}/${part}`));
    if (missing.length > 0 && readIn(place, name)?.toString() === found)
      broken.push(...missing.map((part) => `${nameDay(place, day)}/${part}`));
  }
}

async function addRows(day: string, count: number): Promise<void> {
  const first = rowsByDay.get(day) as number;
  await addEvents(all, projects, { day, first, count });
  rowsByDay.set(day, first + count);
}

/** Whether everything is written as it is now, and nothing is left to be done. */
async function isUpToDate(): Promise<boolean> {
  const [ledger] = await all.postgres.rows<{ rows: number; begun: number; written: number }>(
    `SELECT coalesce(sum(rows) FILTER (WHERE state = 'written'), 0)::integer AS rows,
       (count(*) FILTER (WHERE state IN ('writing', 'former')))::integer AS begun,
       (count(*) FILTER (WHERE state = 'written'))::integer AS written
     FROM export_periods`,
  );
  const rows = [...rowsByDay.values()].reduce((sum, count) => sum + count, 0) * PLACES.length;
  return ledger?.rows === rows && ledger.begun === 0 && ledger.written === DAYS.length * PLACES.length;
}

const untilDone = (what: string, isDone: () => Promise<boolean> | boolean) =>
  untilWritten(all, what, isDone).catch((error: unknown) => {
    throw new Error(`Still to be killed: ${fs.readdirSync(kills).join(', ')}`, { cause: error });
  });

const shuffle = <T>(entries: readonly T[]): T[] =>
  entries
    .map((entry) => ({ entry, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ entry }) => entry);

beforeAll(async () => {
  fs.mkdirSync(out);
  fs.mkdirSync(kills);
  all = await startWriters({
    writers: 3,
    partRows: PART_ROWS,
    env: {
      EXPORT_DIR: out,
      EXPORT_KEEP_SECONDS: '1',
      NODE_OPTIONS: `--require ${path.join(__dirname, '..', '..', 'support', 'exports', 'kill-at-file.js')}`,
      KILL_DIR: kills,
    },
    afterEach: look,
  });
  projects = await applyPlaces(all, PLACES, IN_FOLDER);
  for (const day of DAYS) await addRows(day, ROWS);
  const range = JSON.stringify({ from: DAYS.at(-1), to: DAYS[0] });
  for (const place of PLACES) {
    const headers = { 'service-key': nameKey(place), 'Content-Type': 'application/json' };
    const listed = await all.engines.request('/api/v1/exports', { headers });
    const [{ id }] = ((await listed.json()) as { exports: [{ id: number }] }).exports;
    const made = await all.engines.request(`/api/v1/exports/${id}/backfill`, { method: 'POST', headers, body: range });
    expect(made.status).toBe(202);
  }
  reading = setInterval(() => IN_FOLDER.forEach(look), READ_MS);
}, 180_000);
afterAll(async () => {
  clearInterval(reading);
  await all.dispose();
  fs.rmSync(folder, { recursive: true, force: true });
});

test('whoever reads sees whole periods, whatever fails, and in the end all of them', async () => {
  const failures = shuffle(some(FAILURES, 4, random));
  const killed = shuffle(some(KILLS, 2, random));
  // At first there is nothing to read or to remove.
  await untilDone('everything is written', isUpToDate);
  while (failures.length > 0 || killed.length > 0) {
    failures.splice(0, IN_BUCKET.length).forEach(({ phase, fault }, at) => {
      // The client makes up for one itself; after three the export has failed.
      const times = fault.startsWith('dies') || random() < 0.5 ? 1 : 3;
      all.bucket.failures.push({ phase, fault, prefix: IN_BUCKET[at] as string, times });
    });
    killed
      .splice(0, IN_FOLDER.length)
      .forEach((kill, at) => fs.writeFileSync(path.join(kills, `${IN_FOLDER[at]} ${kill}`), ''));
    await addRows(DAYS[Math.floor(random() * DAYS.length)] as string, 1);
    await untilDone('all of it has failed', () => all.bucket.failures.length + fs.readdirSync(kills).length === 0);
    await untilDone('everything is written', isUpToDate);
    expect(broken).toEqual([]);
  }
}, 1_800_000);

test('every period is row for row as in SQL, and nothing else is there', async () => {
  const byId = (a: Json, b: Json) => String(a.id).localeCompare(String(b.id));
  for (const place of PLACES)
    for (const day of DAYS) {
      const at = nameDay(place, day);
      const manifest = JSON.parse(String(readIn(place, `${at}/manifest.json`))) as Manifest;
      const lines = manifest.parts
        .flatMap((part) => String(readIn(place, `${at}/${part.path}`)).split('\n'))
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Json);
      const inSql = await all.engines.rows<Json>(
        `SELECT * FROM analytics.app_events WHERE project_id = ${projects.get(place)} AND toDate(received_at) = '${day}'
         SETTINGS date_time_output_format = 'iso'`,
      );
      expect(lines.sort(byId)).toEqual(inSql.sort(byId));
      expect(manifest.rows).toBe(rowsByDay.get(day));
      const files = () =>
        fs
          .readdirSync(path.join(out, at), { recursive: true, encoding: 'utf8' })
          .filter((name) => fs.statSync(path.join(out, at, name)).isFile());
      expect({ at, there: (IN_BUCKET.includes(place) ? all.bucket.list(at) : files()).sort() }).toEqual({
        at,
        there: ['_SUCCESS', 'manifest.json', ...manifest.parts.map((part) => part.path)].sort(),
      });
      expect(JSON.parse(String(readIn(place, `${at}/_SUCCESS`)))).toEqual({ revision: manifest.revision });
    }
});
