/**
 * Records on a disk until they are accepted: they outlive the process that took them. Node only.
 *
 * A record is in a file before `click()` returns, so that a process that is killed loses none; what a loss of power
 * takes is what the system has not written yet. A file is removed once each of its records is accepted or refused; one
 * that was sent and not removed is sent again, and counts once.
 */
import fs from 'node:fs';
import path from 'node:path';
import { PartStore, type Limits, type Line, type Part, type Store } from './chunks.ts';
import { lockFolder } from './lock.ts';

export interface SpoolOptions {
  /** Records of a file, and of a batch: 1,000, at most 10,000. */
  readonly maxRecords?: number;
  /** What is held on the disk at most, in bytes: 1 GB. */
  readonly maxHeldBytes?: number;
}

const NAME = /^(\d{12})-(\d+)\.ndjson$/;
/** How long a file that cannot be read is left alone. */
const UNREADABLE_MS = 30_000;

interface File extends Part {
  readonly path: string;
  /** While it is written. */
  readonly fd?: number;
}

/**
 * A folder of records, which one store uses at a time.
 *
 * @throws Error when the folder cannot be used, or another store uses it, of this process or of another that runs.
 */
export function fileSpool(folder: string, { maxRecords = 1_000, maxHeldBytes = 1024 ** 3 }: SpoolOptions = {}): Store {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const unlock = lockFolder(folder);
  try {
    return new FileStore(folder, unlock, { maxRecords, maxHeldBytes });
  } catch (error) {
    unlock();
    throw error;
  }
}

class FileStore extends PartStore<File> {
  private sequence = 0;

  constructor(
    private readonly folder: string,
    private readonly unlock: () => void,
    limits: Limits,
  ) {
    super(limits);
    for (const name of fs.readdirSync(folder).sort()) {
      const match = NAME.exec(name);
      if (!match) continue;
      this.sequence = Math.max(this.sequence, Number(match[1]));
      const file = path.join(folder, name);
      this.add({ path: file, records: readLines(file).length, bytes: fs.statSync(file).size, notBefore: 0 });
    }
  }

  override append(line: Line, now: number): boolean {
    try {
      return super.append(line, now);
    } catch {
      // Half a line may have been written, on a disk that is full: nothing comes behind it.
      this.end();
      return false;
    }
  }

  override close(): void {
    try {
      super.close();
    } finally {
      this.unlock();
    }
  }

  protected countBytes(line: Line): number {
    return Buffer.byteLength(line) + 1;
  }

  protected create(): File {
    this.sequence += 1;
    const name = `${String(this.sequence).padStart(12, '0')}-${process.pid}.ndjson`;
    const file = path.join(this.folder, name);
    return { path: file, fd: fs.openSync(file, 'ax', 0o600), records: 0, bytes: 0, notBefore: 0 };
  }

  protected write({ fd }: File, lines: readonly Line[]): void {
    fs.appendFileSync(fd as number, `${lines.join('\n')}\n`);
  }

  protected read(file: File): Line[] {
    try {
      return readLines(file.path);
    } catch (error) {
      // One file does not keep the others from being sent; what somebody removed is not waited for.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') this.remove(file);
      else file.notBefore = performance.now() + UNREADABLE_MS;
      throw error;
    }
  }

  protected finish({ fd }: File): void {
    fs.closeSync(fd as number);
  }

  /** Where it fails the file stays, for the next process: its records are sent again, and count once. */
  protected drop(file: File): void {
    fs.rmSync(file.path, { force: true });
  }
}

/** Whole lines only: of half a line nobody was told that it was taken. */
function readLines(file: string): Line[] {
  const text = fs.readFileSync(file, 'utf8');
  return text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .filter((line) => line !== '');
}
