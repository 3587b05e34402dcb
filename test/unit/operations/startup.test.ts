/** A wrong configuration is refused before anything is touched, by every command that reads it (src/main.ts). */
import fs from 'node:fs';
import path from 'node:path';
import { Command } from 'commander';
import { addOperations } from '../../../src/commands/operations';
import { addServe } from '../../../src/commands/serve';
import { addWorkspace } from '../../../src/commands/workspace';
import { readConfig } from '../../../src/config';
import type * as Main from '../../../src/main';
import { temporaryFolder } from '../../support/paths';

/** As built: the ranges of data centres are made then, and a service reads them first. */
const { migrateOnce, serve, takeFolders } = jest.requireActual<typeof Main>('../../../dist/main');

const folder = temporaryFolder();
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));
const badRanges = path.join(folder, 'ranges.txt');
fs.writeFileSync(badRanges, '10.0.0.0/8\nnot a range\n');
const dataDir = path.join(folder, 'never-made');

test.each<[string, string, RegExp, object?]>([
  ['PORT', '65536', /^PORT takes a whole number from 0 to 65535/],
  ['WORKERS', '0', /^WORKERS takes a whole number from 1 to 256/],
  ['S2S_ENABLED', 'yes', /^S2S_ENABLED takes true or false/],
  ['DATABASE_URL', 'mysql://db/x', /^DATABASE_URL takes a URL that starts with postgres:\/\//],
  ['LIMIT_S2S_CAMPAIGN', '2000', /^LIMIT_S2S_CAMPAIGN takes POINTS\/SECONDSs/],
  ['ROLES', 's2s,everything', /^ROLES takes a comma-separated list/],
  ['ADMIN_TOKEN', 'with space', /^ADMIN_TOKEN takes 20 to 256/],
  ['DATACENTER_RANGES', '/no/such/file', /DATACENTER_RANGES.*\/no\/such\/file/],
  ['DATACENTER_RANGES', badRanges, /DATACENTER_RANGES.*2/],
  ['HOST', '0.0.0.0', /HOST 0\.0\.0\.0 .*PUBLIC_URL/],
  ['DATA_DIR', path.join(badRanges, 'data'), /^DATA_DIR takes a folder that can be written/],
  // Hosts of its own are known: what is wrong is the name.
  ['HOST', 'no such host', /^HOST takes an address or name of this machine/, { OWN_HOSTS: 'adtrail.example' }],
])('%s=%s', async (name, value, message, more = {}) => {
  const variables = { ...more, [name]: value };
  const start = async () => serve(readConfig({ DATA_DIR: dataDir, PORT: '0', ...variables }), () => undefined);
  const error = await start().catch((refused: unknown) => refused as Error);
  expect([error?.constructor.name, error?.message]).toEqual(['ConfigError', expect.stringMatching(message)]);
  expect(fs.existsSync(dataDir)).toBe(false);
});

test.each([['serve'], ['demo'], ['migrate'], ['apply', badRanges], ['doctor']])('%s reads it', async (...args) => {
  const program = new Command();
  for (const add of [addServe, addWorkspace, addOperations]) add(program, { DATA_DIR: dataDir, PORT: 'x' });
  await expect(program.parseAsync(args, { from: 'user' })).rejects.toThrow(/^PORT takes/);
  expect(fs.existsSync(dataDir)).toBe(false);
});

test('a folder has one process, by whichever path it is named', async () => {
  const taken = path.join(folder, 'taken');
  const link = path.join(folder, 'link');
  takeFolders(readConfig({ DATA_DIR: taken }));
  fs.symlinkSync(taken, link);
  for (const at of [taken, link]) {
    const refused = new RegExp(`^Another adtrail already runs on ${at}; set DATA_DIR to another folder, or stop it`);
    const config = readConfig({ DATA_DIR: at, PORT: '0', CLICKHOUSE_HTTP_PORT: '0' });
    await expect(serve(config, () => undefined)).rejects.toThrow(refused);
    await expect(migrateOnce(config)).rejects.toThrow(refused);
  }
  expect(fs.readdirSync(taken).sort()).toEqual(['ingest', 'lock']);
});
