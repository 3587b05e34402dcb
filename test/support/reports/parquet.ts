/** Reads Parquet files with another program than the one that wrote them. */
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Json } from '../collect/collect-client';
import { root, temporaryFolder } from '../service';

/** hyparquet is an ES module, which Jest does not load: a process of its own reads the file. */
const READER = `
  import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
  const file = await asyncBufferFromFile(process.argv[1]);
  const { schema } = await parquetMetadataAsync(file);
  const plain = (_, value) => (typeof value === 'bigint' ? Number(value) : value);
  process.stdout.write(JSON.stringify({ rows: await parquetReadObjects({ file }), schema }, plain));
`;

/** A column, or a part of one, as the file declares it. */
interface Declared {
  readonly name: string;
  readonly type?: string;
  readonly converted_type?: string;
  readonly logical_type?: { readonly type: string };
}

/** The rows of a file, whole numbers as numbers. */
export const readParquet = async (bytes: ArrayBuffer): Promise<Json[]> => (await readFile(bytes)).rows;

/** What the file says of each of its columns: its type, and what that stands for. */
export async function readParquetTypes(bytes: ArrayBuffer): Promise<[name: string, type: string][]> {
  const { schema } = await readFile(bytes);
  return schema.flatMap(({ name, type, converted_type, logical_type }) =>
    type === undefined ? [] : [[name, logical_type?.type ?? converted_type ?? type]],
  );
}

async function readFile(bytes: ArrayBuffer): Promise<{ rows: Json[]; schema: Declared[] }> {
  const folder = temporaryFolder();
  try {
    const file = path.join(folder, 'rows.parquet');
    fs.writeFileSync(file, Buffer.from(bytes));
    const args = ['--input-type=module', '--eval', READER, file];
    const options = { cwd: root, maxBuffer: 100_000_000 };
    const { stdout } = await promisify(execFile)(process.execPath, args, options);
    return JSON.parse(stdout) as { rows: Json[]; schema: Declared[] };
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}
