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
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'] });
try {
  const ctx = await browser.newContext({ viewport: SIZE, reducedMotion: 'reduce' });
  const page = await ctx.newPage();
  await signIn(page, link);
  const pages = (process.env.PAGES ?? 'connect').split(',');
  for (const at of pages) for (const [w, scheme] of [[1280,'light'],[390,'light'],[1280,'dark']]) {
    await page.setViewportSize({ width: w, height: w < 500 ? 844 : 800 });
    await page.emulateMedia({ colorScheme: scheme });
    await page.goto(new URL(at.startsWith('/') ? at : `/projects/1/${at}`, link).href);
    await page.waitForLoadState('networkidle');
    await page.waitForTimeout(800);
    const name = at.replaceAll('/', '_');
    await page.screenshot({ path: `/tmp/shots/${name}-${w}-${scheme}.png`, fullPage: at === 'connect' });
    const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    console.log(name, w, scheme, page.url(), over > 0 ? `OVERFLOWS by ${over}` : '');
  }
} finally {
  await browser.close();
  demo.removeAllListeners('exit');
  demo.kill('SIGTERM');
  await new Promise((resolve) => demo.once('exit', resolve));
  rmSync(folder, { recursive: true, force: true });
}
