/** Settings of the embedded ClickHouse that only tests have. */
import fs from 'node:fs';
import path from 'node:path';
import { isSoak } from './soak';

/** ClickHouse reads every file of this folder, in its data folder, beside the configuration that the product writes. */
export function writeEngineSettings(clickhouse: string, name: string, xml: string): void {
  const folder = path.join(clickhouse, 'adtrail-engine.d');
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, `${name}.xml`), `<clickhouse>${xml}</clickhouse>`);
}

/**
 * Compiling expressions is worth it for many rows, and takes a ninth of the time of statements over the few of a test.
 * In a soak it is left as people have it.
 */
export function leaveOutCompiler(clickhouse: string): void {
  if (isSoak) return;
  const settings = ['compile_expressions', 'compile_aggregate_expressions', 'compile_sort_description'];
  const profile = settings.map((name) => `<${name}>0</${name}>`).join('');
  writeEngineSettings(clickhouse, 'compiler', `<profiles><default>${profile}</default></profiles>`);
}
