/**
 * `adtrail demo` as a newcomer runs it: what it prints is what the service reports, and a second run changes nothing.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { appTable, webTable, type AppRow, type WebRow } from '../../../src/demo/print';
import { cleanEnvironment, eventually, root, temporaryFolder } from '../../support/service';

const folder = temporaryFolder();
const dataDir = path.join(folder, 'data');

afterAll(() => fs.rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));

function startDemo(...options: string[]) {
  const child = spawn(process.execPath, [path.join(root, 'dist', 'cli.js'), 'demo', ...options], {
    env: { ...cleanEnvironment(), DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  let [output, log] = ['', ''];
  child.stdout.on('data', (chunk) => (output += String(chunk)));
  child.stderr.on('data', (chunk) => (log += String(chunk)));
  return { child, output: () => output, log: () => log, ended: async () => ((await exited) as [number | null])[0] };
}

/** What the printed `curl` commands give. */
async function printedReports(output: string): Promise<[AppRow[], WebRow[]]> {
  const key = fs.readFileSync(path.join(dataDir, 'demo-server-key'), 'utf8').trim();
  const addresses = [...output.matchAll(/curl .* '(http[^']*)'/g)].map(([, address]) => address as string);
  expect(addresses).toHaveLength(2);
  const answers = await Promise.all(
    addresses.map(
      async (address) =>
        (
          (await (await fetch(address, { headers: { 'service-key': key } })).json()) as {
            data: { campaigns: unknown[] };
          }
        ).data.campaigns,
    ),
  );
  return answers as [AppRow[], WebRow[]];
}

/** What the printed command of ClickHouse's user `reader` gives, whose password is in the file that it names. */
async function printedTables(output: string): Promise<string> {
  const command = /curl -u "reader:\$\(cat '([^']*)'\)" "(http[^"]*)" -d '([^']*)'/.exec(output);
  const [, file = '', address = '', body = ''] = command ?? [];
  const headers = { 'X-ClickHouse-User': 'reader', 'X-ClickHouse-Key': fs.readFileSync(file, 'utf8').trim() };
  return (await fetch(address, { method: 'POST', headers, body })).text();
}

/** Follows the printed link, as its page does; the demo has its project for who comes in. */
async function signInBy(link: string): Promise<void> {
  const { origin, hash } = new URL(link);
  const body = { token: hash.slice(1), email: 'ann@demo.example', name: 'Ann', password: 'a password of the demo' };
  const headers = { Origin: origin, 'Content-Type': 'application/json' };
  const init = { method: 'POST', headers, body: JSON.stringify(body) };
  const response = await fetch(`${origin}/auth/v1/links/follow`, init);
  expect(await response.json()).toMatchObject({ operator: true, projects: [{ name: 'Demo Shop' }] });
}

/** From the first report on, without the addresses, whose port is another one each time. */
const readReports = (output: string) =>
  output
    .slice(output.indexOf('The biggest campaigns'))
    .replace(/http:\/\/[^/]*/g, '')
    .replace(/Open the dashboard by this link.*\n\n.*\n\n/, '')
    .replace(/(Done\.|The service goes on).*\n/, '');

test('prints the reports of what it sent, and run again changes nothing', async () => {
  const first = startDemo('--installs', '150');
  try {
    await eventually(
      'the demo is ready',
      () => {
        if (first.child.exitCode !== null) throw new Error(`The demo ended: ${first.output()} ${first.log()}`);
        return first.output().includes('Stop with Ctrl-C') || undefined;
      },
      120_000,
    );
    const [campaigns, channels] = await printedReports(first.output());
    expect(first.output()).toContain(appTable(campaigns));
    expect(await printedTables(first.output())).toContain('Meta broad');
    expect(first.output()).toContain(webTable(channels));
    const [link] = /http:\S+\/welcome#\S+/.exec(first.output()) ?? [];
    await signInBy(link as string);
    expect(campaigns.map(({ name }) => name).sort()).toEqual([
      'Demo launch',
      'Google app campaign',
      'Meta broad',
      'Meta lookalike',
      'TikTok summer',
    ]);
    for (const campaign of campaigns) expect(Number(campaign.installs)).toBeGreaterThan(0);
    expect(channels.map(({ name }) => name.toLowerCase())).toEqual(
      expect.arrayContaining(['direct', 'google', 'meta', 'email', 'referral']),
    );
  } finally {
    first.child.kill('SIGINT');
  }
  expect(await first.ended()).toBe(0);

  const second = startDemo('--installs', '10', '--exit');
  expect(await second.ended()).toBe(0);
  expect(second.output()).toContain('changes nothing');
  expect(readReports(second.output())).toBe(readReports(first.output()));
  const accepted = (output: string) => output.match(/^ {2}[a-z ]+ \d+ accepted$/gm);
  expect(accepted(second.output())).toHaveLength(5);
  expect(accepted(second.output())).toEqual(accepted(first.output()));
}, 720_000);
