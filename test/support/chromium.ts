/// <reference lib="dom" />
/** A real Chromium for tests of pages: where it is, signed in, and held against the rules of axe. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import {
  chromium,
  type Browser as Chromium,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
} from 'playwright-core';
import type { Browser } from './people/person';

const onPath = (name: string) =>
  (process.env.PATH ?? '').split(path.delimiter).map((folder) => path.join(folder, name));

const findFirst = (files: readonly string[]) =>
  files.find((file) => file !== '' && existsSync(file) && statSync(file).isFile());

/** A browser as people have it; undefined where the machine has none. */
export const wholeBrowser = findFirst([
  process.env.CHROMIUM ?? '',
  '/usr/bin/chromium',
  ...onPath('chromium'),
  ...onPath('chromium-browser'),
  ...onPath('google-chrome'),
]);

/** Without windows where there is such a one: the other draws those of a browser, too, for a third of the time. */
export const executable = findFirst([
  process.env.CHROMIUM ?? '',
  ...onPath('chromium-headless-shell'),
  wholeBrowser ?? '',
]);

/** Tests that need Chromium; without one they say that they are skipped. */
export const inBrowser = (name: string, tests: () => void, browser = executable) =>
  browser ? describe(name, tests) : describe.skip(`${name}: skipped: no Chromium`, tests);

/** Without the flags it asks hosts of its maker for things of its own. */
const ARGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'];

export const launch = (more: readonly string[] = [], executablePath = executable as string): Promise<Chromium> =>
  chromium.launch({
    executablePath,
    args: [...ARGS, '--disable-sync', '--no-first-run', ...more],
  });

/** Where pages may copy, and wait for no animation. */
export const openContext = (browser: Chromium, options: BrowserContextOptions): Promise<BrowserContext> =>
  browser.newContext({ reducedMotion: 'reduce', permissions: ['clipboard-read', 'clipboard-write'], ...options });

/** What went wrong in a page: errors of scripts, refusals of the policy, and failed requests to other hosts. */
export interface Watched {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly problems: string[];
}

/** A page of the service at `url`, signed in as the person of `signedIn` where it is given. */
export async function openPage(chromium: Chromium, url: string, signedIn?: Browser): Promise<Watched> {
  const context = await openContext(chromium, { viewport: { width: 1280, height: 800 } });
  if (signedIn) {
    const [name, value] = signedIn.cookie.split('=') as [string, string];
    await context.addCookies([{ name, value, url, httpOnly: true, sameSite: 'Lax' }]);
  }
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    // Answers of the service that are no success are part of what is tested.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      problems.push(message.text());
  });
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol.startsWith('http') && origin !== new URL(url).origin) problems.push(`asks ${request.url()}`);
  });
  return { page, context, problems };
}

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

interface Violation {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string }[];
}

/** Menus and choices that are open are drawn at the end of the page, outside of its landmarks. */
const isOpenList = ({ html }: Violation['nodes'][number]) => /role="(menu|listbox|tooltip)"/.test(html);

/** The rules whose answer depends on the colour scheme. */
export const RULES_OF_COLOUR = ['color-contrast', 'link-in-text-block'];

/**
 * The violations of axe on a page that are more than minor, of all rules or of some, once what it shows is what was
 * asked for: rows of an earlier question are dimmed until those of the new one are there.
 */
export async function violations(page: Page, rules?: readonly string[]): Promise<string[]> {
  await page.waitForFunction(() => document.querySelector('[data-stale]') === null);
  // Evaluated by the debugger, which the policy of the page does not concern.
  await page.evaluate(axe);
  const found = await page.evaluate(
    async (options) => {
      const { axe } = window as unknown as { axe: { run(options: object): Promise<{ violations: Violation[] }> } };
      return (await axe.run(options)).violations;
    },
    // Nobody reads details of what passed, and no rule of these reads style sheets.
    { resultTypes: ['violations'], preload: false, ...(rules && { runOnly: rules }) },
  );
  return found
    .filter(({ impact }) => impact !== 'minor')
    .map(({ id, nodes }) => ({ id, nodes: id === 'region' ? nodes.filter((one) => !isOpenList(one)) : nodes }))
    .filter(({ nodes }) => nodes.length > 0)
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' ')}`);
}
