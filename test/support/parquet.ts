/** Reads Parquet files with another program than the one that wrote them. */
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Json } from './collect-client';
import { temporaryFolder } from './service';

/** hyparquet is an ES module, which Jest does not load: a process of its own reads the file. */
const READER = `
  import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
  const rows = await parquetReadObjects({ file: await asyncBufferFromFile(process.argv[1]) });
  const plain = (_, value) => (typeof value === 'bigint' ? Number(value) : value);
  process.stdout.write(JSON.stringify(rows, plain));
`;

/** The rows of a file, whole numbers as numbers. */
export async function readParquet(bytes: ArrayBuffer): Promise<Json[]> {
  const folder = temporaryFolder();
  try {
    const file = path.join(folder, 'rows.parquet');
    fs.writeFileSync(file, Buffer.from(bytes));
    const args = ['--input-type=module', '--eval', READER, file];
    const options = { cwd: path.join(__dirname, '..', '..'), maxBuffer: 100_000_000 };
    const { stdout } = await promisify(execFile)(process.execPath, args, options);
    return JSON.parse(stdout) as Json[];
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}
