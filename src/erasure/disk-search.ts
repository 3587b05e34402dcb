/** Looks for identifiers in the files of a folder, in bounded memory and without holding up the process. */
import fs from 'node:fs/promises';
import path from 'node:path';

const CHUNK_BYTES = 256 * 1024;
/** This many files say enough. */
export const MOST_FILES = 10;
/** Files that go while they are looked at hold nothing; what PostgreSQL's account alone can read is encrypted. */
const UNREADABLE: ReadonlySet<string> = new Set(['ENOENT', 'EACCES', 'EPERM', 'ENOTDIR']);

/** A text to look for. */
export interface Needle {
  readonly bytes: Buffer;
  /** Only where it stands alone: an identifier that somebody chose may be part of another's. */
  readonly whole: boolean;
}

const isWordByte = (byte: number | undefined) =>
  byte !== undefined &&
  ((byte >= 48 && byte <= 57) ||
    (byte >= 65 && byte <= 90) ||
    (byte >= 97 && byte <= 122) ||
    byte >= 128 ||
    [45, 46, 64, 95].includes(byte)); // - . @ _

function isIn(chunk: Buffer, { bytes, whole }: Needle): boolean {
  for (let at = chunk.indexOf(bytes); at >= 0; at = chunk.indexOf(bytes, at + 1)) {
    if (!whole || (!isWordByte(chunk[at - 1]) && !isWordByte(chunk[at + bytes.length]))) return true;
  }
  return false;
}

/**
 * The files below `folder` that hold any of the needles, except those in the folders `skip` and those that may hold
 * them: at most `MOST_FILES`.
 */
export async function searchFiles(
  folder: string,
  needles: readonly Needle[],
  skip: ReadonlySet<string>,
  mayHold: (file: string) => Promise<boolean> = () => Promise.resolve(false),
): Promise<string[]> {
  const found: string[] = [];
  if (needles.length === 0) return found;
  const overlap = Math.max(...needles.map(({ bytes }) => bytes.length)) + 1;
  const buffer = Buffer.alloc(CHUNK_BYTES + overlap);
  const look = async (at: string): Promise<void> => {
    if (skip.has(at) || found.length >= MOST_FILES) return;
    for (const entry of await orNothing(fs.readdir(at, { withFileTypes: true }), [])) {
      const name = path.join(at, entry.name);
      if (entry.isDirectory()) await look(name);
      else if (
        entry.isFile() &&
        found.length < MOST_FILES &&
        (await holds(name, needles, buffer, overlap)) &&
        !(await mayHold(name))
      )
        found.push(name);
    }
  };
  await look(path.resolve(folder));
  return found;
}

async function holds(file: string, needles: readonly Needle[], buffer: Buffer, overlap: number): Promise<boolean> {
  const handle = await orNothing(fs.open(file), undefined);
  if (!handle) return false;
  try {
    // The end of each chunk is looked at again with the next: a text may lie across both.
    for (let kept = 0; ;) {
      const { bytesRead } = await handle.read(buffer, kept, CHUNK_BYTES);
      if (bytesRead === 0) return false;
      const chunk = buffer.subarray(0, kept + bytesRead);
      if (needles.some((needle) => isIn(chunk, needle))) return true;
      const keep = Math.min(overlap, chunk.length);
      chunk.copy(buffer, 0, chunk.length - keep);
      kept = keep;
    }
  } finally {
    await handle.close();
  }
}

const modifiedAt = async (file: string) => (await orNothing(fs.stat(file), undefined))?.mtimeMs;

/** Whether a file was written after a time, in milliseconds since 1970; one that is gone holds nothing. */
export const isNewOrGone = async (file: string, time: number) => ((await modifiedAt(file)) ?? Infinity) > time;

/** Those of the files that are still there. */
export async function stillThere(files: readonly string[]): Promise<string[]> {
  const times = await Promise.all(files.map(modifiedAt));
  return files.filter((_, i) => times[i] !== undefined);
}

async function orNothing<T>(work: Promise<T>, nothing: T): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (UNREADABLE.has((error as NodeJS.ErrnoException).code ?? '')) return nothing;
    throw error;
  }
}
