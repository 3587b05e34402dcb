/** Real data beside the project, for tests only; a test that needs it says so where it is absent. */
import fs from 'node:fs';
import path from 'node:path';
import { root } from './service';

const folder = path.resolve(root, '..', 'shared', 'data');

/** `test` where the file is there; else a skipped test whose printed reason names it. */
export function testWithData(file: string): jest.It {
  if (fs.existsSync(path.join(folder, file))) return test;
  process.stdout.write(`skipping tests of ${file}: it is not at ../shared/data\n`);
  return test.skip;
}

/** The rows of a CSV file without quoted fields, by the names of its header. */
export function readCsv<Name extends string>(file: string): Record<Name, string>[] {
  const [head = '', ...lines] = fs.readFileSync(path.join(folder, file), 'utf8').trimEnd().split(/\r?\n/);
  const names = head.split(',') as Name[];
  return lines.map((line) => {
    const values = line.split(',');
    return Object.fromEntries(names.map((name, i) => [name, values[i] ?? ''])) as Record<Name, string>;
  });
}
