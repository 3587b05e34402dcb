/**
 * What the disk of the embedded engines still holds of a person. Parts in force are asked by SQL: they may rightly hold
 * the same device in another project. Everything else must not hold an identifier: texts of changes, parts that were
 * replaced, spools, logs, and whatever else lies below the data folder.
 */
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ClickHouse } from '../db/clickhouse';
import { REJECTED } from '../ingest/log/segment';
import { isNewOrGone, MOST_FILES, searchFiles, stillThere, type Needle } from './disk-search';
import * as queries from './queries';

/** At most this many identifiers of a person are looked for in files. */
const MOST_NEEDLES = 300;
/** A shorter text is found anywhere by chance. */
const SHORTEST_NEEDLE = 6;
/** How long files that ClickHouse has given up may take to go: while it deletes them it does not name them. */
const DROP_WAITS_MS = [0, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000];
/** How often it is searched, where there are more such files than a search tells of. */
const MOST_SEARCHES = 5;

/** Later than any part was replaced. */
const NEVER = Date.UTC(2100, 0);

/** What a person is known by. */
export interface Identifiers {
  readonly devices: readonly string[];
  readonly others: readonly string[];
}

function buildNeedles({ devices, others }: Identifiers): Needle[] {
  const needle = (text: string, whole: boolean) => ({ bytes: Buffer.from(text), whole });
  return [
    ...devices.flatMap((id) => [needle(id, false), needle(id.toUpperCase(), false)]),
    ...others.map((id) => needle(id, true)),
  ]
    .filter(({ bytes }) => bytes.length >= SHORTEST_NEEDLE)
    .slice(0, MOST_NEEDLES);
}

/** Whether ClickHouse is the embedded one, whose files are ours to read. */
const areBelow = async (folder: string, clickhouse: ClickHouse): Promise<boolean> =>
  (await queries.readSubjectFolders(clickhouse)).some((one) =>
    path.resolve(one).startsWith(path.resolve(folder) + path.sep),
  );

const describe = (files: readonly string[]) =>
  `${files.length} files still hold an identifier of the person, for example ${files[0]}`;

/** The folders of the embedded engines, and of the ingest log. */
export interface Folders {
  readonly data: string;
  readonly ingestLog: string;
}

/**
 * What ClickHouse and the ingest log have written since `removedAt` (milliseconds since 1970), when nothing of the
 * person was left in force, is of new records, and so is what of the parts in force then was replaced since. Rows that
 * were set aside from the log are old for good.
 *
 * @returns what was looked for, to look for it again where the identifiers themselves were.
 * @throws Error that names a file that holds an identifier.
 */
export async function searchDisk(
  clickhouse: ClickHouse,
  { data: folder, ingestLog }: Folders,
  request: number,
  known: Identifiers,
  removedAt: number,
): Promise<readonly Needle[]> {
  if (!(await areBelow(folder, clickhouse))) return [];
  const noted = await queries.readNeedles(clickhouse, request, MOST_NEEDLES);
  const needles = buildNeedles({ ...known, others: [...known.others, ...noted] });
  // A file of PostgreSQL holds what is old beside what is new.
  const stores = (await queries.readSubjectFolders(clickhouse)).map((one) => path.resolve(one, '..', '..') + path.sep);
  const rejected = path.join(ingestLog, REJECTED) + path.sep;
  const isReplaced = (file: string) =>
    !file.startsWith(rejected) && [...stores, ingestLog + path.sep].some((store) => file.startsWith(store));
  const mayHold = async (file: string) => isReplaced(file) && isNewOrGone(file, removedAt);
  const readActive = async () =>
    (await queries.readActiveParts(clickhouse, removedAt)).map((part) => path.resolve(part));
  for (let searches = 1; ; searches++) {
    const found = await searchFiles(folder, needles, new Set(await readActive()), mayHold);
    // A merge that began before has ended meanwhile: its files are older, and its part is in force.
    const active = await readActive();
    const givenUp = found.filter((file) => !active.some((part) => file.startsWith(part + path.sep)));
    const left = await afterDrop(givenUp);
    // A device that keeps sending has parts replaced all the time: what soon vanishes is no sign of anything.
    if (left.length === 0 && found.length < MOST_FILES) return needles;
    if (left.length > 0 || searches === MOST_SEARCHES) throw new Error(describe(left.length > 0 ? left : found));
  }
}

/** Those of the files that do not vanish soon. */
async function afterDrop(files: readonly string[]): Promise<readonly string[]> {
  let left = files;
  for (const wait of DROP_WAITS_MS) {
    if (left.length === 0) break;
    await sleep(wait);
    left = await stillThere(left);
  }
  return left;
}

/** @throws Error where the files of the dropped identifiers do not go. */
export async function searchSubjects(
  clickhouse: ClickHouse,
  folder: string,
  needles: readonly Needle[],
): Promise<void> {
  if (!(await areBelow(folder, clickhouse))) return;
  const folders = await queries.readSubjectFolders(clickhouse);
  let files: string[] = [];
  for (const wait of DROP_WAITS_MS) {
    await sleep(wait);
    const active = new Set((await queries.readActiveParts(clickhouse, NEVER)).map((part) => path.resolve(part)));
    files = (await Promise.all(folders.map((one) => searchFiles(one, needles, active)))).flat();
    if (files.length === 0) return;
  }
  throw new Error(describe(files));
}
