/** Builds the package twice, for `import` and for `require`; the types of the API, which are large, are in it once. */
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

const here = import.meta.dirname;
const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');
const compile = (project) =>
  execFileSync(process.execPath, [compiler, '-p', path.join(here, project)], { stdio: 'inherit' });

rmSync(path.join(here, 'dist'), { recursive: true, force: true });
compile('tsconfig.json');
compile('tsconfig.cjs.json');
// The compiler leaves the names of sources in declarations.
for (const folder of ['esm', 'cjs'].map((name) => path.join(here, 'dist', name)))
  for (const name of readdirSync(folder).filter((one) => one.endsWith('.d.ts'))) {
    const text = readFileSync(path.join(folder, name), 'utf8');
    writeFileSync(path.join(folder, name), text.replace(/( from '\.\/[\w-]+)\.ts';/g, `$1.js';`));
  }
const write = (name, text) => writeFileSync(path.join(here, 'dist', 'cjs', name), `${text}\n`);
write('package.json', JSON.stringify({ type: 'commonjs' }));
write('generated.d.ts', `export type * from '../esm/generated.js' with { 'resolution-mode': 'import' };`);
