/** Builds the models of dbt on an engine of their own, as a user that has the rights of integrations/dbt/README.md. */
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { root, temporaryFolder } from '../service';

/** The rights that the README gives to the user of dbt. */
export const readGrants = (): string[] =>
  [...fs.readFileSync(path.join(root, 'integrations/dbt/README.md'), 'utf8').matchAll(/^(GRANT .*) TO dbt;$/gm)].map(
    ([, grant]) => grant as string,
  );

/** The engine starts once a process; what it knows of users is in its configuration. */
const RUNNER = `
  const { readFileSync, writeFileSync } = require('node:fs');
  const { writeEngineConfig } = require('./dist/embedded/clickhouse/engine-config.js');
  const { loadNative } = require('./dist/embedded/clickhouse/native.js');
  const { folder, answer, grants, prepare, run } = JSON.parse(readFileSync(process.argv[1], 'utf8'));
  const args = writeEngineConfig(folder);
  const file = args[0].slice('--config-file='.length);
  const queries = grants.map((grant) => '<query>' + grant + '</query>').join('');
  writeFileSync(file, readFileSync(file, 'utf8')
    .replace('</roles>', '<dbt><grants>' + queries + '</grants></dbt></roles>')
    .replace('<query>GRANT service</query>', '<query>GRANT service</query><query>GRANT dbt</query>'));
  const native = loadNative();
  const connection = native.CreateConnection(folder, args);
  const ask = (sql) => native.QueryAsyncConnection(connection, sql, 'TSV');
  const work = async () => {
    for (const sql of prepare) await ask(sql);
    await ask('SET ROLE dbt');
    for (const sql of run) {
      try {
        await ask(sql);
      } catch (error) {
        return { sql, error: String(error) };
      }
    }
    return {};
  };
  work().then((failed) => {
    writeFileSync(answer, JSON.stringify(failed));
    // An orderly exit under a running engine may hang.
    process.kill(process.pid, 'SIGKILL');
  });
`;

/** Resolves with the first statement of `run` that the user with these grants may not run, and why. */
export async function runAsDbt(work: {
  readonly grants: readonly string[];
  /** What an operator has done before. */
  readonly prepare: readonly string[];
  readonly run: readonly string[];
}): Promise<{ sql?: string; error?: string }> {
  const folder = temporaryFolder();
  try {
    const file = path.join(folder, 'work.json');
    const answer = path.join(folder, 'answer.json');
    fs.writeFileSync(file, JSON.stringify({ folder: path.join(folder, 'engine'), answer, ...work }));
    fs.mkdirSync(path.join(folder, 'engine'));
    await promisify(execFile)(process.execPath, ['-e', RUNNER, file], { cwd: root }).catch((error: unknown) => {
      if (!fs.existsSync(answer)) throw error;
    });
    return JSON.parse(fs.readFileSync(answer, 'utf8')) as { sql?: string; error?: string };
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}
