/**
 * `npm run screenshots`: the pictures of the dashboard in docs/images, of the demo's data. Needs a build, and Chromium
 * at CHROMIUM or /usr/bin/chromium.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { chromium } from 'playwright-core';

const SIZE = { width: 1280, height: 800 };
const folder = mkdtempSync(path.join(os.tmpdir(), 'adtrail-screenshots-'));

/** Starts the demo; resolves with the link that signs the operator in, once the traffic is there. */
function startDemo() {
  const env = { ...process.env, DATA_DIR: path.join(folder, 'data'), LIMIT_IP: 'off', LIMIT_QUERY: 'off' };
  const demo = spawn(process.execPath, ['dist/cli.js', 'demo'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((resolve, reject) => {
    let output = '';
    demo.stdout.on('data', (chunk) => {
      output += chunk;
      const link = /https?:\/\/\S+\/welcome#\S+/.exec(output)?.[0];
      if (link) resolve({ demo, link });
    });
    demo.once('exit', (code) => reject(new Error(`The demo ended with ${code}.`)));
  });
}

async function signIn(page, link) {
  await page.goto(link);
  await page.getByLabel('E-mail', { exact: false }).fill('ann@demo.example');
  await page.getByLabel('Name', { exact: false }).fill('Ann');
  for (const input of await page.locator('input[type=password]').all()) await input.fill('a password for pictures');
  await page.locator('button[type=submit]').click();
  await page.waitForURL((url) => !url.pathname.startsWith('/welcome'));
}

const api = (page, at) =>
  page.evaluate(async (url) => (await fetch(url, { headers: { 'project-id': '1' } })).json(), at);

/** The six main pages; an install that was credited is the one that is explained. */
async function listPages(page) {
  const { installs } = await api(page, '/api/v1/installs?partner_id=1&limit=1');
  return {
    overview: '/projects/1/overview',
    campaigns: '/projects/1/campaigns',
    retention: '/projects/1/retention',
    install: `/projects/1/installs/${encodeURIComponent(installs[0].install_id)}`,
    partner: '/partners/1/overview',
    sql: '/projects/1/sql',
  };
}

const { demo, link } = await startDemo();
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
});
try {
  const page = await (await browser.newContext({ viewport: SIZE, reducedMotion: 'reduce' })).newPage();
  await signIn(page, link);
  for (const [name, at] of Object.entries(await listPages(page))) {
    await page.goto(new URL(at, link).href);
    await page.waitForLoadState('networkidle');
    if (name === 'sql') await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.waitForTimeout(1_000);
    await page.screenshot({ path: path.join('docs', 'images', `${name}.png`) });
    console.log(`docs/images/${name}.png`);
  }
} finally {
  await browser.close();
  demo.removeAllListeners('exit');
  demo.kill('SIGTERM');
  await new Promise((resolve) => demo.once('exit', resolve));
  rmSync(folder, { recursive: true, force: true });
}
