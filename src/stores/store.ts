/** Where backups and exports are kept: a folder or a bucket. */
import { createHash, type Hash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { Transform, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** What was written, or read, of a file. */
export interface FileSum {
  readonly bytes: number;
  readonly sha256: string;
}

/** Paths have slashes and begin at the place that the store was made for. */
export interface Store {
  /** What the place is called in messages. */
  readonly name: string;
  /** Paths of all files under a path, its own included; none where nothing is. */
  files(under: string): Promise<string[]>;
  has(file: string): Promise<boolean>;
  /** Names directly at the place. */
  names(): Promise<string[]>;
  /** Writes a file; once this resolves it is there as a whole. */
  write(file: string, data: Readable): Promise<FileSum>;
  read(file: string): Promise<Readable>;
  remove(under: string): Promise<void>;
  /** Ends what it is reached by. */
  close(): void;
  /** The place of a path as ClickHouse takes it in BACKUP and RESTORE. */
  clickhouse(at: string): string;
  /** A text of ClickHouse without the secrets of the store. */
  withoutSecrets(text: string): string;
}

/** A literal of ClickHouse. */
export const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** Lets bytes pass, and adds them up. */
export function meter(): Transform & { sum(): FileSum } {
  const hash: Hash = createHash('sha256');
  let bytes = 0;
  const through = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  return Object.assign(through, { sum: () => ({ bytes, sha256: hash.digest('hex') }) });
}

/** A folder of this machine. `forClickHouse` is how ClickHouse reaches it. */
export class FolderStore implements Store {
  constructor(
    private readonly folder: string,
    private readonly forClickHouse: string,
  ) {}

  get name(): string {
    return this.folder;
  }

  async files(under: string): Promise<string[]> {
    const entries = await fs.promises
      .readdir(path.join(this.folder, under), { recursive: true, withFileTypes: true })
      .catch(ifMissing<fs.Dirent[]>([]));
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(this.folder, path.join(entry.parentPath, entry.name)))
      .sort();
  }

  has(file: string): Promise<boolean> {
    return Promise.resolve(fs.existsSync(path.join(this.folder, file)));
  }

  /** Folders alone: a symbolic link may lead anywhere. */
  async names(): Promise<string[]> {
    const entries = await fs.promises.readdir(this.folder, { withFileTypes: true }).catch(ifMissing<fs.Dirent[]>([]));
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  }

  async write(file: string, data: Readable): Promise<FileSum> {
    const to = path.join(this.folder, file);
    await fs.promises.mkdir(path.dirname(to), { recursive: true, mode: 0o700 });
    const through = meter();
    // Written under another name first: what has its name is whole.
    await pipeline(data, through, fs.createWriteStream(`${to}.new`, { mode: 0o600, flush: true }));
    await fs.promises.rename(`${to}.new`, to);
    return through.sum();
  }

  read(file: string): Promise<Readable> {
    return fs.promises.open(path.join(this.folder, file)).then((handle) => handle.createReadStream());
  }

  async remove(under: string): Promise<void> {
    await fs.promises.rm(path.join(this.folder, under), { recursive: true, force: true });
  }

  close(): void {
    // A folder is not held open.
  }

  clickhouse(at: string): string {
    return `File(${quoted(`${this.forClickHouse}/${at}`)})`;
  }

  withoutSecrets(text: string): string {
    return text;
  }
}

const ifMissing =
  <T>(value: T) =>
  (error: NodeJS.ErrnoException): T => {
    if (error.code === 'ENOENT') return value;
    throw error;
  };
