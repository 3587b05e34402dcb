/**
 * Requests of scheduled exports that reach the bucket long after their sender was killed, or has asked once more: what
 * they overwrite is whole all the same, and is made up for (docs/contract/scheduled-exports.md).
 */
import { addDays } from '../../../src/lib/time';
import { LATE_FAULTS, type Phase } from '../../support/exports/failing-bucket';
import {
  addEvents,
  applyPlaces,
  findBroken,
  startWriters,
  untilWritten,
  type Manifest,
  type Writers,
} from '../../support/exports/writers';
import { eventually } from '../../support/service';

const DAY = addDays(new Date().toISOString().slice(0, 10), -1);
const WRITING: readonly Phase[] = ['first part', 'later part', 'manifest', 'success'];
/** Each happens to the only export of a project of its own. */
const CASES = [...WRITING, 'removal' as const].flatMap((phase) =>
  LATE_FAULTS.map((fault) => ({ phase, fault, place: `${phase} ${fault}`.replaceAll(' ', '-') })),
);
/** Rows at first, and of a part. */
const [ROWS, PART_ROWS] = [12, 8];

let all: Writers;
let projects = new Map<string, number>();
let rows = 0;
const broken: string[] = [];

const nameFolder = (place: string) => `${place}/app-events/day=${DAY}`;
const readText = (place: string, name: string) => all.bucket.read(`${nameFolder(place)}/${name}`)?.toString();
function readManifest(place: string): Manifest {
  try {
    return JSON.parse(readText(place, 'manifest.json') ?? '') as Manifest;
  } catch {
    // The server is writing it, or none is there.
    return { revision: 0, rows: 0, parts: [] };
  }
}

/** Whether all that the manifest names is there, as it says. */
const isWhole = (place: string) =>
  findBroken(readManifest(place), (part) => all.bucket.read(`${nameFolder(place)}/${part}`)).length === 0;

async function addRows(count: number): Promise<void> {
  await addEvents(all, projects, { day: DAY, first: rows, count });
  rows += count;
}

const until = (what: string, isDone: () => Promise<boolean> | boolean) => untilWritten(all, what, isDone);
/** The time of former revisions is over: of the exports of some names. */
const endGrace = (cases: readonly { place: string }[]) =>
  all.postgres.rows(
    `UPDATE export_periods SET remove_at = now() FROM scheduled_exports
     WHERE id = export_id AND state = 'former' AND name = ANY ($1)`,
    [cases.map(({ place }) => place)],
  );
const areFormerGone = async () => {
  const left = await all.postgres.rows("SELECT FROM export_periods WHERE state = 'former' AND remove_at <= now()");
  return left.length === 0;
};

/** Whether the ledger, and what stands in the bucket, have all rows. */
async function isUpToDate(): Promise<boolean> {
  const ledger = await all.postgres.rows<{ place: string; revision: number; rows: number }>(
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
  all = await startWriters({
    writers: 2,
    partRows: PART_ROWS,
    afterEach: (place) => void (isWhole(place) || broken.push(place)),
  });
  projects = await applyPlaces(
    all,
    CASES.map(({ place }) => place),
  );
  await addRows(ROWS);
  await all.postgres.rows(
    'INSERT INTO export_backfills (export_id, from_day, to_day) SELECT id, $1, $1 FROM scheduled_exports',
    [DAY],
  );
}, 180_000);
afterAll(() => all.dispose());

test('what arrives late replaces no part that a manifest names, and no manifest for long', async () => {
  await until('everything is written', isUpToDate);
  for (const { phase, fault, place } of CASES)
    if (phase !== 'removal') all.bucket.failures.push({ phase, fault, prefix: place, times: 1 });
  await addRows(1);
  await until('it is written again', async () => all.bucket.failures.length === 0 && (await isUpToDate()));
  const removing = CASES.filter(({ phase }) => phase === 'removal');
  for (const { phase, fault, place } of removing) all.bucket.failures.push({ phase, fault, prefix: place, times: 1 });
  await endGrace(removing);
  await until('former revisions go', async () => all.bucket.failures.length === 0 && (await areFormerGone()));
  await addRows(1);
  await until('it is written once more', isUpToDate);
  expect(all.bucket.countLate()).toBe(CASES.length);
  const before = new Map(CASES.map(({ place }) => [place, readManifest(place).revision]));

  await all.bucket.deliver();
  const overtaken = CASES.filter(({ place }) => readManifest(place).revision !== before.get(place));
  expect(overtaken.map(({ phase }) => phase)).toEqual(['manifest', 'manifest']);
  await until('what it has replaced is written anew', isUpToDate);
  for (const { place } of overtaken) expect(readManifest(place).revision).toBeGreaterThan(before.get(place) as number);
  expect(broken).toEqual([]);
}, 600_000);

test('what cannot be removed is told of, and holds up no writing', async () => {
  const { place } = CASES[0] as (typeof CASES)[number];
  const refusal = { prefix: place, phase: 'removal', fault: 'refused', times: Infinity } as const;
  all.bucket.failures.push({ ...refusal });
  await endGrace([{ place }]);
  const readState = async () => {
    const [state] = await all.postgres.rows<{ failures: number; error: string; wait: number }>(
      `SELECT failures, error, extract(epoch FROM due_at - failed_at)::integer AS wait
       FROM export_states JOIN scheduled_exports ON id = export_id WHERE name = $1`,
      [place],
    );
    return state as { failures: number; error: string; wait: number };
  };
  await until('it has failed', async () => (await readState()).failures > 0);
  expect((await readState()).error).toMatch(/^r\d+ of \S+, a former revision, is not removed: AccessDenied/);
  await addRows(1);
  await until('it is written all the same', isUpToDate);
  expect((await readState()).failures).toBeGreaterThan(0);
  // However often it has failed, it is soon looked at again.
  await all.postgres.rows(
    `UPDATE export_states SET failures = 20, due_at = now() FROM scheduled_exports
     WHERE id = export_id AND name = $1`,
    [place],
  );
  const { wait } = await eventually('it has failed once more', async () => {
    const state = await readState();
    return state.failures > 20 ? state : undefined;
  });
  expect(wait).toBeLessThanOrEqual(60);
  all.bucket.failures.splice(0);
  await until('it goes', async () => (await readState()).failures === 0 && (await areFormerGone()));
}, 300_000);

test('in the end nothing is left of it', async () => {
  await addRows(1);
  await until('it is written', isUpToDate);
  await endGrace(CASES);
  await until('former revisions are gone', areFormerGone);
  for (const { place } of CASES) {
    const { parts } = readManifest(place);
    expect({ place, there: all.bucket.list(nameFolder(place)).sort() }).toEqual({
      place,
      there: ['_SUCCESS', 'manifest.json', ...parts.map((part) => part.path)].sort(),
    });
  }
  expect(broken).toEqual([]);
}, 300_000);
