/**
 * `make bench-dashboard`: how soon the dashboard can be used, in Chromium, over the data of `adtrail demo` (3,000
 * installs, or INSTALLS of them): the overview from its address to its figures and to its last list, and how long a
 * change of view takes, with what it asks and once the data is there. Each is the median of ROUNDS (5).
 */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { launch, openPage } from '../support/chromium';
import { cleanEnvironment, root, temporaryFolder } from '../support/service';

const INSTALLS = process.env.INSTALLS ?? '3000';
const ROUNDS = Number(process.env.ROUNDS ?? 5);
const GOALS = { overview: 1_000, change: 300 };

const say = (text: string) => process.stdout.write(`${text}\n`);
const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] as number;

/** Starts the demo; resolves with the link that it prints, once its traffic is there. */
function startDemo(folder: string) {
  const child = spawn(process.execPath, [path.join(root, 'dist', 'cli.js'), 'demo', '--installs', INSTALLS], {
    env: { ...cleanEnvironment(), DATA_DIR: path.join(folder, 'data'), LIMIT_IP: 'off', LIMIT_QUERY: 'off' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise<{ link: string; stop: () => Promise<void> }>((resolve, reject) => {
    let output = '';
    child.once('exit', (code) => reject(new Error(`The demo ended with ${code}`)));
    child.stdout.on('data', (chunk) => {
      output += String(chunk);
      const link = /http:\S+\/welcome#\S+/.exec(output)?.[0];
      const stop = () =>
        new Promise<void>((stopped) => {
          child.removeAllListeners('exit').once('exit', () => stopped());
          child.kill('SIGTERM');
        });
      if (link) resolve({ link, stop });
    });
  });
}

async function signIn(page: Page, link: string): Promise<void> {
  const { origin, hash } = new URL(link);
  await page.goto(`${origin}/sign-in`);
  await page.evaluate(async (token) => {
    const password = 'a password of the benchmark';
    const body = JSON.stringify({ token, email: 'ann@demo.example', name: 'Ann', password });
    await fetch('/auth/v1/links/follow', { method: 'POST', body });
  }, hash.slice(1));
}

/** Until nothing is loading: no skeletons, and no busy table or chart. */
const untilShown = (page: Page) =>
  page.waitForFunction(
    () =>
      document.querySelector('h1') !== null &&
      document.querySelector('.mantine-Skeleton-root[data-visible], [aria-busy="true"]') === null,
    undefined,
    { polling: 'raf' },
  );

/** Until the figures at the head of the overview are there. */
const untilHead = (page: Page) =>
  page.waitForFunction(
    () => {
      const figures = document.querySelector('main [role=group] [aria-pressed]')?.closest('[role=group]');
      return figures && figures.querySelector('.mantine-Skeleton-root[data-visible]') === null;
    },
    undefined,
    { polling: 'raf' },
  );

/** Milliseconds from what `act` does until everything is shown. */
async function timed(page: Page, act: () => Promise<unknown>, until = untilShown): Promise<number> {
  const since = performance.now();
  await act();
  await until(page);
  return performance.now() - since;
}

async function main(): Promise<void> {
  const folder = temporaryFolder();
  const { link, stop } = await startDemo(folder);
  const chromium = await launch();
  try {
    const { origin } = new URL(link);
    const { page } = await openPage(chromium, origin);
    await signIn(page, link);
    const rounds = async (name: string, goal: number | undefined, once: () => Promise<number>) => {
      const times: number[] = [];
      for (let i = 0; i < ROUNDS; i++) times.push(await once());
      const against = goal === undefined ? '' : ` (goal ${goal} ms)`;
      say(`${name}: ${Math.round(median(times))} ms${against}, of ${times.map(Math.round).join(', ')}`);
    };
    const overview = `${origin}/projects/1/overview`;
    say(`${INSTALLS} installs`);
    const load = () => page.goto(overview);
    await rounds('overview loaded anew, its figures', GOALS.overview, async () => {
      const took = await timed(page, load, untilHead);
      // What the page still asks would be computed beside the next one.
      await untilShown(page);
      return took;
    });
    await rounds('overview loaded anew, its last list', GOALS.overview, () => timed(page, load));
    const open = (name: string) => timed(page, () => page.locator(`nav a[href*="/${name}"]`).first().click());
    for (const name of ['campaigns', 'retention', 'web']) {
      await rounds(`from the overview to ${name}, anew`, undefined, async () => {
        await page.goto(overview);
        await untilShown(page);
        return open(name);
      });
      await rounds(`from the overview to ${name} and back, with the data there`, GOALS.change, async () => {
        const [there, back] = [await open(name), await open('overview')];
        return Math.max(there, back);
      });
    }
  } finally {
    await chromium.close();
    await stop();
    fs.rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

void main();
