/**
 * `npm run upgrade-fixture`, once for each release: a backup of the demo's data and what its reports say of them, into
 * `test/fixtures/upgrade/<version>`. Later versions restore it and must say the same
 * (`test/resilience/operations/upgrades.test.ts`). Needs a build.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const APP = ['display_id', 'name', 'clicks', 'installs', 'sign-ups', 'conversion', 'revenue', 'spend', 'roas'].concat(
  'uninstalls',
  'click_through_attribution',
  'view_through_attribution',
);
const WEB = ['id', 'visitors', 'sessions', 'page_views', 'signups', 'conversion', 'purchases', 'revenue', 'spend'];

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const target = path.resolve('test', 'fixtures', 'upgrade', version);
const folder = mkdtempSync(path.join(os.tmpdir(), 'adtrail-upgrade-fixture-'));
const env = { ...process.env, DATA_DIR: path.join(folder, 'data'), BACKUP_DIR: path.join(folder, 'backup') };

/** Starts the demo; resolves with it and its address once the traffic is there. */
function startDemo() {
  const arguments_ = ['dist/cli.js', 'demo', '--installs', '60'];
  const demo = spawn(process.execPath, arguments_, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((resolve, reject) => {
    let output = '';
    demo.stdout.on('data', (chunk) => {
      output += chunk;
      const address = /(https?:\/\/\S+)\/welcome#/.exec(output)?.[1];
      if (address) resolve({ demo, address, from: /campaigns\?from=([0-9-]+)/.exec(output)?.[1] });
    });
    demo.once('exit', (code) => reject(new Error(`The demo ended with ${code}.`)));
  });
}

const pick = (names) => (row) => Object.fromEntries(names.map((name) => [name, row[name]]));

async function readReports({ address, from }) {
  const key = readFileSync(path.join(env.DATA_DIR, 'demo-server-key'), 'utf8').trim();
  const days = { from, to: new Date(Date.now() - 24 * 3600_000).toISOString().slice(0, 10) };
  const ask = async (report, parameters) => {
    const query = new URLSearchParams({ ...days, ...parameters, limit: '100' });
    const url = `${address}/api/v1/reporting/${report}?${query}`;
    const answer = await fetch(url, { headers: { 'service-key': key } });
    if (answer.status !== 200) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()).data.campaigns;
  };
  return {
    server_key: key,
    ...days,
    app: (await ask('campaigns', { sort_field: 'installs' })).map(pick(APP)),
    web: (await ask('web-campaigns', { group_by: 'channel' })).map(pick(WEB)),
  };
}

function run(command, ...arguments_) {
  if (spawnSync(command, arguments_, { env, stdio: 'inherit' }).status !== 0) throw new Error(`${command} failed.`);
}

try {
  const started = await startDemo();
  const expected = await readReports(started);
  started.demo.kill('SIGTERM');
  await once(started.demo, 'exit');
  mkdirSync(env.BACKUP_DIR);
  run(process.execPath, 'dist/cli.js', 'backup', 'take', env.BACKUP_DIR);
  mkdirSync(target, { recursive: true });
  run('tar', '-czf', path.join(target, 'backup.tar.gz'), '-C', env.BACKUP_DIR, '.');
  writeFileSync(path.join(target, 'expected.json'), `${JSON.stringify(expected, null, 2)}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
