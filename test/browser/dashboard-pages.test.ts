/// <reference lib="dom" />
/**
 * Every page of the dashboard in Chromium, with little data: no violation of accessibility but minor ones, in light
 * and in dark, nothing to scroll sideways on a phone, no error in the console, and no request that fails.
 */
import crypto from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser as Chromium, Page } from 'playwright-core';
import { putSpend } from '../support/reports/app-report';
import { installsWith } from '../support/attribution/attribution';
import { inBrowser, launch, openPage, RULES_OF_COLOUR, violations, type Watched } from '../support/chromium';
import { ownNames } from '../support/workspace/own-names';
import { readOperator, findPerson, type Browser } from '../support/people/person';
import { idByName } from '../support/s2s/s2s-client';
import { root } from '../support/service';
import { sharedService } from '../support/shared-service';
import { rounds } from '../support/soak';

const own = ownNames('every-page');
const KEY = own('key');
const APP = 'com.every.page';
const WIDE = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };
/** How a page is looked at; the first two have both colour schemes, both widths and all rules. */
const LOOKS = [
  ['light', WIDE, 'light'],
  ['dark phone', PHONE, 'dark'],
  ['dark', WIDE, 'dark', RULES_OF_COLOUR],
  ['light phone', PHONE, 'light', RULES_OF_COLOUR],
] as const;
/** Reports and the change of colours need it on a machine that is busy. */
const LIMIT = 90_000;

const document = own.document({
  accounts: [{ name: 'Account' }],
  partners: [
    {
      name: 'Network',
      tokens: ['token'],
      postbacks: [
        { event: 'install', method: 'GET', url: `https://postback.example/${'long/'.repeat(20)}?click={tid}` },
        {
          event: 'event:purchase',
          method: 'POST',
          url: 'https://postback.example/events',
          headers: { Authorization: 'Bearer word' },
          body: { click: '{tid}', sum: '{amount}' },
          enabled: false,
        },
      ],
    },
  ],
  projects: [
    {
      name: 'Shop',
      account: 'Account',
      timezone: 'Europe/Berlin',
      currency: 'EUR',
      website: 'https://every.example',
      web_campaigns: true,
      server_keys: ['key'],
      apps: [{ platform: 'ANDROID', app_id: APP }],
      domains: [{ name: 'go.every.example', primary: true }],
      partner_switches: [
        { partner: 'Network', s2s_clicks: true, s2s_traffic: true, view_through: true, ctv_apps: [APP] },
      ],
      postback_overrides: [
        { event: 'install', withhold: ['amounts', 'device_ids'] },
        { event: 'payment', partner: 'Network', enabled: false },
        { event: 'signup', method: 'GET', url: `https://postback.example/${'long/'.repeat(20)}?click={tid}` },
      ],
      webhooks: [{ url: `https://hooks.example/${'long/'.repeat(20)}`, events: ['install', 'event:purchase'] }],
      campaigns: [{ display_id: 'summer', name: 'A campaign for the whole of the summer', partner: 'Network' }],
    },
  ],
});

interface Listed {
  readonly area: string;
  readonly path: string;
}

const source = (name: string) => readFileSync(path.join(root, 'dashboard', 'src', name), 'utf8');
// Read as text: what the modules import is for the build of the dashboard alone.
const ADDRESSES = /^export const searches = \{\n(.*?)^\}/ms.exec(source('addresses.ts'))?.[1] ?? '';
const listed: Listed[] = [...ADDRESSES.matchAll(/^ {2}(\w+): \{\n(.*?)^ {2}\},/gms)].flatMap(
  ([, area = '', pages = '']) =>
    [...pages.matchAll(/^ {4}'?([^':\n]+)'?: /gm)].map(([, page = '']) => ({ area, path: page })),
);
const outside = [...source('router.tsx').matchAll(/path: '([^']+)'/g)].map(([, page]) => page);

/** What pages show besides what their address without a search shows. */
const MORE: Listed[] = [
  ...['windows', 'apps', 'domains', 'listings', 'channels', 'networks', 'rates'].map((section) => ({
    area: 'project',
    path: `settings?section=${section}`,
  })),
  { area: 'project', path: 'overview?source=web' },
  { area: 'project', path: 'web?tab=country' },
  { area: 'project', path: 'explore?by=["campaign","platform"]&table=pivot&over=rows' },
  { area: 'project', path: 'values/country?value=DE' },
  { area: 'project', path: 'touches?search=every-page' },
  { area: 'partner', path: 'touches?search=every-page' },
  { area: 'partner', path: 'test-bench?mode=batch' },
  { area: 'project', path: 'spend?tab=upload' },
  { area: 'project', path: 'spend?tab=history' },
  { area: 'project', path: 'links?create=true' },
  { area: 'project', path: 'links?form=file' },
  { area: 'project', path: 'links?form=rules' },
  { area: 'project', path: 'links/summer?edit=true' },
  { area: 'project', path: 'links/summer?settings=true' },
];
const all = [...listed, ...MORE];
const listPaths = (area: string) => all.filter((one) => one.area === area).map((one) => one.path);

test('all pages are known here', () => {
  expect(listed).toHaveLength(source('pages.ts').match(/\bload: /g)?.length as number);
  expect([...new Set(listed.map(({ area }) => area))]).toEqual(['project', 'partner', 'installation']);
  expect(outside).toEqual(['/', '/profile', '/sign-in', '/welcome', '/public/board']);
});

inBrowser('in Chromium', () => {
  const service = sharedService();
  const credited = installsWith(service, KEY);
  const gaid = crypto.randomUUID();
  const values: Record<string, string> = { displayId: 'summer', dimension: 'country' };
  let chromium: Chromium;
  let owner: Browser;
  let partner: Browser;
  let operator: Browser;
  let nobody: Browser;

  beforeAll(async () => {
    await service.apply(document);
    values.projectId = String(await idByName(service, 'projects', own('Shop')));
    values.partnerId = String(await idByName(service, 'partners', own('Network')));
    const click = await service.request(`/v1/click/${APP}?c=summer&tid=every-page&gaid=${gaid}`, {
      headers: { 'X-Service-Token': own('token') },
    });
    expect(click.status).toBe(200);
    values.installId = (await credited({ gaid, app_id: APP })).install_id;
    values.boardId = String((await askProject('POST', '/boards', { name: 'Growth', template: 'advertiser' })).id);
    const alert = {
      name: 'Few installs',
      question: { source: 'app', metrics: ['installs'], range: 'yesterday' },
      condition: { type: 'threshold', direction: 'below', value: 5 },
      receivers: [],
    };
    values.alertId = String(((await askProject('POST', '/alerts', alert)).alert as { id: number }).id);
    const date = new Date().toISOString().slice(0, 10);
    await putSpend(service, KEY, [{ campaign_id: 'summer', date, spend: '12.5', currency: 'EUR' }]);
    operator = await readOperator(service, 'every-page@adtrail.example');
    const { accounts } = (await operator.send('GET', '/auth/v1/me')).body as {
      accounts: { id: number; name: string }[];
    };
    const account = { account_id: accounts.find(({ name }) => name === own('Account'))?.id as number };
    owner = await findPerson(service, operator, 'owner', account, 'every-page-owner@adtrail.example');
    const ofPartner = { partner_id: Number(values.partnerId) };
    partner = await findPerson(service, operator, 'partner_admin', ofPartner, 'every-page-partner@adtrail.example');
    nobody = await formerMember(account);
    chromium = await launch();
  }, 360_000);
  afterAll(() => chromium?.close());

  async function askProject(method: string, at: string, body: object): Promise<Record<string, unknown>> {
    const headers = { 'service-key': KEY, 'Content-Type': 'application/json' };
    const response = await service.request(`/api/v1${at}`, { method, headers, body: JSON.stringify(body) });
    expect(response.status).toBe(201);
    return (await response.json()) as Record<string, unknown>;
  }

  /** Somebody whose only membership has ended. */
  async function formerMember(account: { account_id: number }): Promise<Browser> {
    const email = 'every-page-former@adtrail.example';
    const person = await findPerson(service, operator, 'viewer', account, email);
    const { body } = await operator.send('GET', `/auth/v1/members?account_id=${account.account_id}`);
    const member = (body.members as { id: number; email: string }[]).find((one) => one.email === email);
    expect((await operator.send('DELETE', `/auth/v1/members/${member?.id}`)).status).toBe(204);
    return person;
  }

  /** Until nothing is asked for and nothing stands in the place of what comes. */
  async function loaded(page: Page): Promise<void> {
    await page.getByRole('heading', { level: 1 }).first().waitFor();
    await page.waitForLoadState('networkidle');
    await page.waitForFunction(() => !window.document.querySelector('.mantine-Skeleton-root, [aria-busy=true]'));
  }

  const sideways = (page: Page) =>
    page.evaluate(() => {
      const { scrollWidth, clientWidth } = window.document.documentElement;
      return scrollWidth > clientWidth + 1 ? [`${scrollWidth} pixels wide`] : [];
    });

  /** What is wrong with a page as it stands, in both colour schemes and both widths. */
  async function findFaults(page: Page): Promise<string[]> {
    const found: string[] = [];
    for (const [name, size, colorScheme, rules] of LOOKS.slice(0, rounds(2, LOOKS.length))) {
      await page.setViewportSize(size);
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
      // A colour that fades into the next is in neither scheme.
      await page.waitForFunction(() => window.document.getAnimations().every((one) => one.playState !== 'running'));
      const faults = [...(await sideways(page)), ...(await violations(page, rules))];
      found.push(...faults.map((fault) => `${name}: ${fault}`));
    }
    return found;
  }

  /** One page for each person: what it has loaded once is there for the next visit. */
  const opened = new Map<Browser | undefined, Watched>();

  async function watchPage(who: Browser | undefined): Promise<Watched> {
    const known = opened.get(who);
    if (known) return known;
    const watched = await openPage(chromium, service.url, who);
    const { page, problems } = watched;
    page.on('requestfailed', (request) => {
      const { errorText = '' } = request.failure() ?? {};
      // What nobody waits for any more is given up.
      if (errorText !== 'net::ERR_ABORTED') problems.push(`${errorText}: ${request.url()}`);
    });
    page.on('response', (response) => {
      // A service that is busy says so with 503, and the dashboard asks again.
      if (response.status() >= 400 && response.status() !== 503)
        problems.push(`${response.status()}: ${response.url()}`);
    });
    opened.set(who, watched);
    return watched;
  }

  /** Opens a path, does what leads to the view, and returns all that is wrong with it. */
  async function visit(path: string, who?: Browser, lead?: (page: Page) => Promise<void>): Promise<string[]> {
    const watched = await watchPage(who);
    const { page, problems } = watched;
    await page.goto(`${service.url}${path}`);
    await lead?.(page);
    await loaded(page);
    expect(await page.getByText('There is no such page').count()).toBe(0);
    const faults = await findFaults(page);
    return [...faults, ...problems.splice(0)];
  }

  const filledIn = (page: string) =>
    page.replace(/\$(\w+)/g, (_, name: string) => {
      const value = values[name];
      if (value === undefined) throw new Error(`The test has no value for $${name}`);
      return encodeURIComponent(value);
    });

  test.each(listPaths('project'))(
    'project: %s',
    async (page) => {
      expect(await visit(`/projects/${values.projectId}/${filledIn(page)}`, owner)).toEqual([]);
    },
    LIMIT,
  );

  test.each(listPaths('partner'))(
    'partner: %s',
    async (page) => {
      expect(await visit(`/partners/${values.partnerId}/${filledIn(page)}`, partner)).toEqual([]);
    },
    LIMIT,
  );

  test.each(listPaths('installation'))(
    'installation: %s',
    async (page) => {
      expect(await visit(`/installation/${filledIn(page)}`, operator)).toEqual([]);
    },
    LIMIT,
  );

  test(
    'the forms of a webhook, of an exception and of a postback',
    async () => {
      const press = (name: string) => (page: Page) => page.getByRole('button', { name }).click();
      const ofProject = `/projects/${values.projectId}/postbacks`;
      expect(await visit(ofProject, owner, press('Add a webhook'))).toEqual([]);
      expect(await visit(ofProject, owner, press('Add an exception'))).toEqual([]);
      expect(await visit(`/partners/${values.partnerId}/postbacks`, partner, press('Add a postback'))).toEqual([]);
    },
    LIMIT,
  );

  test(
    'the navigation leads to no page that is not listed',
    async () => {
      const { page } = await watchPage(owner);
      await page.goto(`${service.url}/projects/${values.projectId}/overview`);
      await page.locator('nav a').first().waitFor();
      const links = await page.locator('nav a').evaluateAll((every) => every.map((one) => one.getAttribute('href')));
      const names = links.map((href) => href?.split('?')[0]?.replace(`/projects/${values.projectId}/`, ''));
      expect(listPaths('project')).toEqual(expect.arrayContaining(names));
    },
    LIMIT,
  );

  test(
    'profile, and the start of somebody who belongs nowhere',
    async () => {
      expect(await visit('/profile', owner)).toEqual([]);
      expect(await visit('/', nobody)).toEqual([]);
    },
    LIMIT,
  );

  test(
    'a board is arranged by keyboard and by drag, shared, looked at by a stranger, and saved as an image',
    async () => {
      const at = `/projects/${values.projectId}/boards/${values.boardId}`;
      const arrange = async (page: Page) => {
        await page.setViewportSize(WIDE);
        await page.getByRole('button', { name: 'Arrange' }).click();
      };
      expect(await visit(at, owner, arrange)).toEqual([]);
      const { page } = await watchPage(owner);
      await page.setViewportSize(WIDE);
      const handle = (name: string) => page.getByRole('button', { name: `Move or resize ${name}` });
      await handle('Installs by day').press('Shift+ArrowLeft');
      await handle('Installs by day').press('ArrowDown');
      const [from, to] = await Promise.all(
        ['Installs by country', 'Installs by day'].map((name) => handle(name).boundingBox()),
      );
      await page.mouse.move((from?.x ?? 0) + 8, (from?.y ?? 0) + 8);
      await page.mouse.down();
      await page.mouse.move(300, (to?.y ?? 0) + 40, { steps: 8 });
      await page.mouse.up();
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('button', { name: 'Arrange' }).waitFor();
      const board = await service.request(`/api/v1/boards/${values.boardId}`, { headers: { 'service-key': KEY } });
      const { items } = (await board.json()) as { items: { heading: string | null; x: number; w: number }[] };
      expect(items).toHaveLength(5);
      expect(items.some(({ w }) => w === 7)).toBe(true);

      const [image] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Download Installs by day as PNG' }).click(),
      ]);
      expect(image.suggestedFilename()).toBe('installs-by-day.png');
      const png = readFileSync(await image.path());
      expect([png.subarray(1, 4).toString(), png.readUInt32BE(16) > 500]).toEqual(['PNG', true]);

      await page.getByRole('button', { name: 'Share' }).click();
      await page.getByRole('button', { name: 'Make a public link' }).click();
      const link = await page.getByText('/public/board#').innerText();
      const { pathname, hash } = new URL(link);
      expect(await visit(pathname + hash)).toEqual([]);
      const stranger = (await watchPage(undefined)).page;
      expect(await stranger.getByRole('heading', { level: 1 }).innerText()).toBe('Growth');
      expect(await stranger.getByRole('navigation').count()).toBe(0);
      expect(await stranger.getByText('ROAS', { exact: true }).count()).toBeGreaterThan(0);
      await page.getByRole('button', { name: /^Revoke link/ }).click();
      await page.getByRole('button', { name: 'Revoke', exact: true }).click();
      await page.getByText('There are no links').or(page.getByText('Revoked')).first().waitFor();
      await stranger.reload();
      await stranger.getByText('This link does not work').waitFor();
      // It is told so by a 404.
      (await watchPage(undefined)).problems.splice(0);
    },
    LIMIT,
  );

  test(
    'signing in, a forgotten password, and an invitation',
    async () => {
      expect(await visit('/sign-in')).toEqual([]);
      const forget = (page: Page) => page.getByRole('button', { name: 'Forgotten your password?' }).click();
      expect(await visit('/sign-in', undefined, forget)).toEqual([]);
      const invited = { email: 'every-page-new@adtrail.example', role: 'operator' };
      const { body } = await operator.send('POST', '/auth/v1/invitations', invited);
      const link = new URL(String(body.link));
      expect(await visit(link.pathname + link.hash)).toEqual([]);
    },
    LIMIT,
  );
});
