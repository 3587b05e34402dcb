/**
 * `npm run screenshots`: the pictures of the dashboard in docs/images, of the demo's data, as WebP of some 50 kB each.
 * With names it makes those alone: `npm run screenshots -- campaigns board`. Needs a build, and Chromium at CHROMIUM or
 * /usr/bin/chromium.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { chromium } from 'playwright-core';

const SIZE = { width: 1280, height: 800 };
/** Letters stay sharp; 100 is the best. */
const QUALITY = 85;
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

const api = (page, at, body) =>
  page.evaluate(
    async ([url, sent]) => {
      const headers = { 'project-id': '1', 'Content-Type': 'application/json' };
      const answer = await fetch(url, { headers, ...(sent && { method: 'POST', body: JSON.stringify(sent) }) });
      return answer.json();
    },
    [at, body],
  );

const day = (daysAgo) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);

/** The pages, each with what is done on it first. The install was credited, and the campaign has spent the most. */
async function listPages(page) {
  const { installs } = await api(page, '/api/v1/installs?partner_id=1&limit=1');
  const spent = await api(page, '/api/v1/reporting/query', {
    ...{ source: 'app', metrics: ['spend'], dimensions: ['campaign'], from: day(28), to: day(0), limit: 1 },
    order_by: [['spend', 'desc']],
  });
  const board = await api(page, '/api/v1/boards', { name: 'Growth', template: 'advertiser' });
  const explored = new URLSearchParams({ by: '["network","platform"]', metrics: '["installs","revenue","roas"]' });
  return {
    overview: '/projects/1/overview',
    campaigns: '/projects/1/campaigns',
    campaign: `/projects/1/campaigns/${encodeURIComponent(spent.results[0].dimensions[0])}`,
    explore: `/projects/1/explore?${explored}`,
    board: `/projects/1/boards/${board.id}`,
    retention: '/projects/1/retention',
    install: `/projects/1/installs/${encodeURIComponent(installs[0].install_id)}`,
    links: '/projects/1/links',
    spend: '/projects/1/spend',
    setup: '/projects/1/setup',
    sql: '/projects/1/sql',
    connect: '/projects/1/connect',
    partner: '/partners/1/overview',
  };
}

async function save(page, name) {
  const image = await loadImage(await page.screenshot());
  const canvas = createCanvas(image.width, image.height);
  canvas.getContext('2d').drawImage(image, 0, 0);
  const file = path.join('docs', 'images', `${name}.webp`);
  writeFileSync(file, await canvas.encode('webp', QUALITY));
  console.log(file);
}

const { demo, link } = await startDemo();
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
});
try {
  const page = await (await browser.newContext({ viewport: SIZE, reducedMotion: 'reduce' })).newPage();
  await signIn(page, link);
  const wanted = process.argv.slice(2);
  for (const [name, at] of Object.entries(await listPages(page))) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    await page.goto(new URL(at, link).href);
    await page.waitForLoadState('networkidle');
    if (name === 'sql') await page.getByRole('button', { name: 'Run', exact: true }).click();
    // What is still loading is grey: answers of a cold start take seconds.
    await page.waitForFunction(() => !document.querySelector('.mantine-Skeleton-root'), undefined, { timeout: 60_000 });
    await page.waitForTimeout(1_000);
    await save(page, name);
  }
} finally {
  await browser.close();
  demo.removeAllListeners('exit');
  demo.kill('SIGTERM');
  await new Promise((resolve) => demo.once('exit', resolve));
  rmSync(folder, { recursive: true, force: true });
}
