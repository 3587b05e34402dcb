/**
 * `make bench-dashboard`: how soon the dashboard can be used, in Chromium: the overview from its address to its figures
 * and to its last list, and how long a change of view takes, with what it asks and once the data is there. Over the
 * data of `adtrail demo` (3,000 installs, or INSTALLS of them), or over MILLIONS of installs of a year, made inside
 * ClickHouse with four clicks and ten app events each. Each is the median of ROUNDS (5).
 */
import fs from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { launch, openPage } from '../support/chromium';
import { readOperator } from '../support/people/person';
import { startService, temporaryFolder } from '../support/service';
import { INSTALLS, startDemo } from './demo-service';
import { count, fillYear, seconds, timed as timedWork, untilDerived } from './year-of-a-project';

const MILLIONS = Number(process.env.MILLIONS ?? 0);
const ROUNDS = Number(process.env.ROUNDS ?? 5);
const GOALS = MILLIONS > 0 ? { figures: 2_000, page: 2_000, change: 200 } : { figures: 300, page: 600, change: 200 };

const say = (text: string) => process.stdout.write(`${text}\n`);
const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] as number;

/** A service with data, a page in which an operator is signed in, and the path of the project. */
interface Ready {
  readonly page: Page;
  readonly project: string;
  readonly end: () => Promise<void>;
}

async function openDemo(chromium: Browser): Promise<Ready> {
  const folder = temporaryFolder();
  const { link, stop } = await startDemo(folder);
  const { origin } = new URL(link);
  const { page } = await openPage(chromium, origin);
  await signIn(page, link);
  const end = async () => {
    await stop();
    fs.rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  };
  return { page, project: `${origin}/projects/1`, end };
}

async function openYear(chromium: Browser): Promise<Ready> {
  const limits = { LIMIT_IP: 'off', LIMIT_QUERY: 'off' };
  const size = { clicks: MILLIONS * 4e6, installs: MILLIONS * 1e6 };
  const service = await startService({ ...limits, ROLES: 'api' }, ['--max-semi-space-size=64']);
  const projectId = await fillYear(service, size, say);
  await service.stop();
  await service.restart({ ...limits, LOG_LEVEL: 'debug' });
  const { ms } = await timedWork(() => untilDerived(service, size));
  say(`derived in ${seconds(ms)} after the last row`);
  const { page } = await openPage(chromium, service.url, await readOperator(service));
  const end = async () => {
    const reports = service.output().match(/The report [a-z-]+ took [^"\n]*/g) ?? [];
    say(`the last reports, as the log says them:\n${reports.slice(-8).join('\n')}`);
    await service.dispose();
  };
  return { page, project: `${service.url}/projects/${projectId}`, end };
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
      return figures?.querySelector('.mantine-Skeleton-root[data-visible]') === null;
    },
    undefined,
    { polling: 'raf' },
  );

/** Milliseconds from what `act` does until everything is shown. */
async function timed(
  page: Page,
  act: () => Promise<unknown>,
  until: (page: Page) => Promise<unknown> = untilShown,
): Promise<number> {
  const since = performance.now();
  await act();
  await until(page);
  return performance.now() - since;
}

async function main(): Promise<void> {
  const chromium = await launch();
  let end: Ready['end'] | undefined;
  try {
    const ready = await (MILLIONS > 0 ? openYear(chromium) : openDemo(chromium));
    const { page, project } = ready;
    end = ready.end;
    const rounds = async (name: string, goal: number, once: () => Promise<number>) => {
      const times: number[] = [];
      for (let i = 0; i < ROUNDS; i++) times.push(await once());
      say(`${name}: ${Math.round(median(times))} ms (goal ${goal} ms), of ${times.map(Math.round).join(', ')}`);
    };
    const overview = `${project}/overview`;
    say(`${count(MILLIONS > 0 ? MILLIONS * 1e6 : Number(INSTALLS))} installs`);
    const load = () => page.goto(overview);
    await rounds('overview loaded anew, its figures', GOALS.figures, async () => {
      const took = await timed(page, load, untilHead);
      // What the page still asks would be computed beside the next one.
      await untilShown(page);
      return took;
    });
    await rounds('overview loaded anew, its last list', GOALS.page, () => timed(page, load));
    const open = (name: string) => timed(page, () => page.locator(`nav a[href*="/${name}"]`).first().click());
    for (const name of ['campaigns', 'retention', 'web']) {
      await rounds(`from the overview to ${name}, anew`, GOALS.page, async () => {
        await page.goto(overview);
        await untilShown(page);
        return open(name);
      });
      await rounds(`from the overview to ${name} and back, with the data there`, GOALS.change, async () => {
        const [there, back] = [await open(name), await open('overview')];
        return Math.max(there, back);
      });
    }
    await page.goto(`${project}/campaigns`);
    await untilShown(page);
    const campaign = await page.locator('main table a[href*="/campaigns/"]').first().getAttribute('href');
    await rounds("a campaign's page loaded anew", GOALS.page, () =>
      timed(page, () => page.goto(new URL(campaign as string, project).href)),
    );
  } finally {
    await chromium.close();
    await end?.();
  }
}

void main();
