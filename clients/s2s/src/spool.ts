/**
 * Records on a disk until they are accepted: they outlive the process that took them. Node only.
 *
 * A record is in a file before `click()` returns, so that a process that is killed loses none; what a loss of power
 * takes is what the system has not written yet. A file is removed once each of its records is accepted or refused; one
 * that was sent and not removed is sent again, and counts once.
 */
import fs from 'node:fs';
import path from 'node:path';
import type { Chunk, Line, Store } from './chunks.ts';

export interface SpoolOptions {
  /** Records of a file, which are sent together: 1,000, at most 10,000. */
  readonly maxRecords?: number;
  /** What is held on the disk at most, in bytes: 1 GB. */
  readonly maxHeldBytes?: number;
}

const MAX_BATCH_BYTES = 8 * 1024 * 1024;
const NAME = /^(\d{12})-(\d+)\.ndjson$/;

interface File {
  readonly path: string;
  records: number;
  bytes: number;
  notBefore: number;
}

interface FileChunk extends Chunk {
  readonly file: File;
}

/**
 * A folder of records, which one process uses at a time.
 *
 * @throws Error when the folder cannot be used, or another process that runs uses it.
 */
export function fileSpool(folder: string, { maxRecords = 1_000, maxHeldBytes = 1024 ** 3 }: SpoolOptions = {}): Store {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  lock(folder);
  return new FileStore(folder, maxRecords, maxHeldBytes);
}

/** A lock whose process has ended is anybody's. */
function lock(folder: string): void {
  const file = path.join(folder, 'lock');
  const owner = fs.existsSync(file) ? Number(fs.readFileSync(file, 'utf8')) : 0;
  if (owner > 0 && owner !== process.pid && isAlive(owner))
    throw new Error(`The folder ${folder} is used by the process ${owner}.`);
  fs.writeFileSync(file, String(process.pid));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

class FileStore implements Store {
  private files: File[] = [];
  private open: { readonly file: File; readonly fd: number } | undefined;
  private sequence = 0;
  private heldBytes = 0;
  size = 0;

  constructor(
    private readonly folder: string,
    private readonly maxRecords: number,
    private readonly maxHeldBytes: number,
  ) {
    for (const name of fs.readdirSync(folder).sort()) {
      const match = NAME.exec(name);
      if (!match) continue;
      this.sequence = Math.max(this.sequence, Number(match[1]));
      const file = { path: path.join(folder, name), records: 0, bytes: 0, notBefore: 0 };
      const lines = readLines(file.path);
      file.records = lines.length;
      file.bytes = fs.statSync(file.path).size;
      this.add(file);
    }
  }

  get hasFull(): boolean {
    return this.files.some(({ notBefore }) => notBefore === 0);
  }

  get earliest(): number {
    return Math.min(...this.files.map(({ notBefore }) => notBefore));
  }

  append(line: Line): boolean {
    const bytes = Buffer.from(`${line}\n`);
    if (this.heldBytes + bytes.length > this.maxHeldBytes) return false;
    if (this.open && this.open.file.bytes + bytes.length > MAX_BATCH_BYTES) this.end();
    this.open ??= this.create();
    fs.appendFileSync(this.open.fd, bytes);
    this.open.file.records += 1;
    this.open.file.bytes += bytes.length;
    this.heldBytes += bytes.length;
    this.size += 1;
    if (this.open.file.records >= this.maxRecords) this.end();
    return true;
  }

  next(now: number): FileChunk | undefined {
    let due = this.files.find(({ notBefore }) => notBefore <= now);
    if (!due && this.open) {
      this.end();
      due = this.files.at(-1);
    }
    if (!due) return undefined;
    return { file: due, lines: readLines(due.path), bytes: due.bytes, notBefore: due.notBefore };
  }

  settle(chunk: Chunk, again: readonly Line[], notBefore: number): void {
    const { file } = chunk as FileChunk;
    if (again.length > 0) this.write(again, notBefore);
    // Killed between the two, the file is sent again, and its records count once.
    fs.rmSync(file.path, { force: true });
    this.files = this.files.filter((one) => one !== file);
    this.size -= file.records;
    this.heldBytes -= file.bytes;
  }

  close(): void {
    this.end();
    fs.rmSync(path.join(this.folder, 'lock'), { force: true });
  }

  private write(lines: readonly Line[], notBefore: number): void {
    const { file, fd } = this.create();
    const bytes = Buffer.from(`${lines.join('\n')}\n`);
    fs.appendFileSync(fd, bytes);
    fs.closeSync(fd);
    this.add(Object.assign(file, { records: lines.length, bytes: bytes.length, notBefore }));
  }

  private create(): { file: File; fd: number } {
    this.sequence += 1;
    const name = `${String(this.sequence).padStart(12, '0')}-${process.pid}.ndjson`;
    const file = { path: path.join(this.folder, name), records: 0, bytes: 0, notBefore: 0 };
    return { file, fd: fs.openSync(file.path, 'ax', 0o600) };
  }

  private add(file: File): void {
    this.files.push(file);
    this.size += file.records;
    this.heldBytes += file.bytes;
  }

  /** Its records were counted one by one. */
  private end(): void {
    if (!this.open) return;
    fs.closeSync(this.open.fd);
    this.files.push(this.open.file);
    this.open = undefined;
  }
}

/** Whole lines only: a process that was killed while it wrote has not said that it took the last one. */
function readLines(file: string): Line[] {
  const text = fs.readFileSync(file, 'utf8');
  return text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .filter((line) => line !== '');
}
