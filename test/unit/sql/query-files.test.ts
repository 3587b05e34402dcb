/** The statements of sql/queries and clickhouse/queries: each can be found, is used, and runs when it is pasted. */
import fs from 'node:fs';
import path from 'node:path';
import { queryNames, readQuery, type Engine } from '../../../src/db/sql';

const root = path.resolve(__dirname, '..', '..', '..');
const engines: Engine[] = ['sql', 'clickhouse'];
const files = engines.flatMap((engine) =>
  fs.readdirSync(path.join(root, engine, 'queries')).map((file) => path.join(engine, 'queries', file)),
);
const code = fs
  .readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.startsWith('dashboard'))
  .map((file) => fs.readFileSync(path.join(root, 'src', file), 'utf8'))
  .join('\n');

test.each(engines)('%s: a name that is none is refused', (engine) => {
  expect(() => readQuery(engine, 'nobody.knows')).toThrow(`${engine}/queries has no statement nobody.knows`);
});

test.each(engines)('%s: the code names every statement', (engine) => {
  // Also `outbox.step-${kind}`: a prefix names the feature, else it would be one of many statements.
  const prefixes = [...code.matchAll(/`([\w-]+\.[\w-]*)\$\{/g)].map(([, prefix = '']) => prefix);
  const isNamed = (name: string) => code.includes(`'${name}'`) || prefixes.some((prefix) => name.startsWith(prefix));
  expect(queryNames(engine).filter((name) => !isNamed(name))).toEqual([]);
});

test.each(files)('%s: has statements that end with a semicolon, each below its name', (file) => {
  const [before, ...blocks] = fs.readFileSync(path.join(root, file), 'utf8').split(/^-- name: [\w-]+$/m);
  if (blocks.length > 0) expect(before).toBe('');
  for (const block of blocks) expect(block.trimEnd()).toMatch(/^\n--[^]*[^;];$/);
});
