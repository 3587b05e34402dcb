/// <reference lib="dom" />
/** The pages of retention, web visits and links in a real Chromium, against the running service. */
import { readFileSync } from 'node:fs';
import { type Browser, type BrowserContext, type Page } from 'playwright-core';
import { appEvent, collectApp } from '../support/collect/collect-client';
import { ownNames } from '../support/workspace/own-names';
import { readOperator } from '../support/people/person';
import { idByName } from '../support/s2s/s2s-client';
import { ask } from '../support/reports/query';
import { eventually } from '../support/service';
import { sharedService } from '../support/shared-service';
import { BROWSER, collect } from '../support/collect/web';
import { inBrowser, launch, openContext, violations } from '../support/chromium';

const own = ownNames('dashboard-retention');
const KEY = own('key');
const DAY_MS = 86_400_000;
const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();
const readDay = (instant: string) => instant.slice(0, 10);

inBrowser('in Chromium', () => {
  const service = sharedService();
  let browser: Browser;
  let context: BrowserContext;
  let project: number;
  const consoleErrors: string[] = [];

  beforeAll(async () => {
    await service.apply({
      accounts: [{ name: own('Acme') }],
      projects: [
        {
          name: own('Shop'),
          account: own('Acme'),
          timezone: 'UTC',
          website: 'https://retention.example',
          server_keys: [KEY],
          web_campaigns: true,
          apps: [{ platform: 'ANDROID', app_id: 'com.retention' }],
          domains: [{ name: 'dashboard-retention.example', primary: true }],
        },
      ],
    });
    const event = (type: string, install: string, time: string) =>
      appEvent(type, { app_id: 'com.retention', install_id: own(install), time });
    const installs = ['a', 'b', 'c', 'd'].map((one) => event('install', one, daysAgo(3)));
    const events = [...installs, event('event', 'a', daysAgo(2)), event('install', 'e', daysAgo(0))];
    expect((await collectApp(service, events, { 'service-key': KEY })).rejected).toEqual([]);
    const visit = (visitor: string, days: number, query: string) => ({
      event_id: own(`${visitor}-${days}`),
      type: 'page_view',
      time: daysAgo(days),
      visitor_id: visitor,
      session_id: `${visitor}-${days}`,
      url: `https://retention.example/start${query}`,
      ip: '8.8.8.8',
      ua: BROWSER,
    });
    const visits = [
      visit('v', 3, '?utm_source=mail&utm_medium=email'),
      visit('v', 2, '?utm_source=bing&utm_medium=cpc'),
    ];
    expect((await collect(service, { 'service-key': KEY }, visits)).status).toBeLessThan(300);
    const range = { from: readDay(daysAgo(5)), to: readDay(daysAgo(0)) };
    await eventually('the installs are in reports', async () => {
      const { totals } = await ask(service, KEY, {
        ...range,
        source: 'app',
        metrics: ['installs', 'classic_retention_d1'],
        include: ['totals', 'organic'],
      });
      return totals?.[0] === 5 && totals[1] === 25 ? true : undefined;
    });
    project = await idByName(service, 'projects', own('Shop'));
    const { cookie } = await readOperator(service, 'dashboard-retention@adtrail.example');
    const [name = '', value = ''] = cookie.split('=');
    browser = await launch();
    context = await openContext(browser, { viewport: { width: 1280, height: 900 } });
    await context.addCookies([{ name, value, url: service.url }]);
  }, 120_000);
  afterAll(() => browser?.close());

  async function open(path: string): Promise<Page> {
    const page = await context.newPage();
    page.on('console', (message) => message.type() === 'error' && consoleErrors.push(message.text()));
    await page.goto(`${service.url}/projects/${project}/${path}`);
    return page;
  }

  const expectAccessible = async (page: Page) => expect(await violations(page)).toEqual([]);

  test('retention shows cohorts, and which days have not ended', async () => {
    const page = await open('retention');
    const rows = page.getByRole('table', { name: 'Retention' }).getByRole('row');
    await rows.filter({ hasText: 'All cohorts' }).waitFor();
    const cells = async (row: number) => (await rows.nth(row).getByRole('cell').allTextContents()).slice(0, 4);
    expect(await cells(2)).toEqual(['4', '25.0', '0.0', '·']);
    expect(await cells(3)).toEqual(['1', '·', '·', '·']);
    // By week both may be one cohort; another definition is another URL.
    await page.getByText('up to day N', { exact: true }).click();
    await page.waitForURL(/definition=retention/);
    await rows.nth(2).getByRole('button').click();
    await page.waitForURL(/cohorts=/);
    await eventually('the other definition is there', async () => ((await cells(2))[2] === '25.0' ? true : undefined));
    expect(await cells(2)).toEqual(['4', '25.0', '25.0', '·']);
    await expectAccessible(page);
    await page.close();
  }, 30_000);

  test('a point of the curve leads to its day by campaign, by keys as well', async () => {
    const page = await open('retention');
    const curve = page.getByRole('group', { name: 'Retention by day since install: arrow keys choose a point' });
    // Keys choose among points that are there.
    await curve.locator('canvas').waitFor();
    await curve.focus();
    for (const key of ['Home', 'ArrowRight', 'Enter']) await page.keyboard.press(key);
    await page.getByRole('menuitem', { name: 'Day 2 by country' }).waitFor();
    await page.getByRole('menuitem', { name: 'Day 2 by campaign' }).click();
    await page.waitForURL(/explore/);
    const table = page.getByRole('table').last();
    await table.getByRole('columnheader', { name: 'Retention D2' }).waitFor();
    // The four whose second day is over have no campaign.
    await table.getByRole('row', { name: /Organic/ }).waitFor();
    await page.close();
  }, 30_000);

  test('the triangle and the curve are downloaded as images', async () => {
    const page = await open('retention');
    const table = page.getByRole('table', { name: 'Retention' });
    await table.getByRole('row').filter({ hasText: 'All cohorts' }).waitFor();
    const shown = await table.boundingBox();
    const image = async (title: string) => {
      await page.getByRole('button', { name: 'Share and download' }).click();
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: `Download PNG: ${title}` }).click(),
      ]);
      expect(file.suggestedFilename()).toMatch(
        new RegExp(`retention.*-${title.toLowerCase().replaceAll(' ', '-')}.png$`),
      );
      const bytes = readFileSync(await file.path());
      expect(bytes.subarray(0, 8)).toEqual(PNG_SIGNATURE);
      expect(bytes.length).toBeGreaterThan(5_000);
      return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
    };
    // Twice as sharp as the page, with a margin around the table and two lines of text above and below it.
    const { width, height } = await image('Cohorts');
    expect(width).toBeGreaterThan(2 * (shown?.width ?? Infinity));
    expect(height).toBeGreaterThan(2 * (shown?.height ?? Infinity));
    expect(height).toBeLessThan(2 * (shown?.height ?? 0) + 500);
    expect((await image('Retention by day since install')).height).toBeGreaterThan(200);
    await page.close();
  }, 30_000);

  test.each(['retention', 'web?tab=source'])(
    '%s is downloaded as CSV, which Excel knows as UTF-8',
    async (path) => {
      const page = await open(path);
      await page.getByRole('table').first().getByRole('row').nth(1).waitFor();
      await page.getByRole('button', { name: 'Share and download' }).click();
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: 'Download CSV' }).click(),
      ]);
      expect(file.suggestedFilename()).toMatch(/\.csv$/);
      const bytes = readFileSync(await file.path());
      expect(bytes.subarray(0, 3).toString('hex')).toBe('efbbbf');
      expect(bytes.subarray(3).toString().split('\n').length).toBeGreaterThan(1);
      expect(bytes.subarray(3).includes('\ufeff')).toBe(false);
      await page.close();
    },
    30_000,
  );

  test('the SQL of a view is shown, and runs on the SQL page with the same figures', async () => {
    const page = await open('web?tab=source');
    const sources = page.getByRole('table', { name: 'Sources' }).getByRole('row');
    await sources.filter({ hasText: 'mail' }).waitFor();
    await page.getByRole('button', { name: 'Show SQL' }).nth(1).click();
    const dialog = page.getByRole('dialog', { name: 'SQL of this view' });
    await dialog.getByText('FROM analytics.web_visitors').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('link', { name: 'Open in SQL' }).click();
    await page.waitForURL(/\/sql$/);
    // The editor draws the lines that are seen, and no others.
    await page
      .getByRole('textbox', { name: 'Statement' })
      .filter({ hasText: /SELECT|WITH/ })
      .waitFor();
    const rows = page.getByRole('table').first().getByRole('row');
    await rows.filter({ hasText: 'bing' }).waitFor();
    expect((await rows.allTextContents()).filter((line) => /mail|bing/.test(line))).toHaveLength(2);
    await page.close();
  }, 60_000);

  test.each([
    ['overview', 'analytics.journeys'],
    ['retention', 'analytics.journeys'],
    ['spend', 'analytics.counted_spend'],
  ])('each chart and each table of %s shows its SQL, and the call behind it', async (path, view) => {
    const page = await open(path);
    const panels = page.locator('main section').filter({ has: page.locator('h2') });
    await panels
      .filter({ has: page.getByRole('button', { name: 'Show SQL' }) })
      .nth(1)
      .waitFor();
    for (const panel of await panels.all()) {
      await panel.getByRole('button', { name: 'Show SQL' }).click();
      const dialog = page.getByRole('dialog', { name: 'SQL of this view' });
      await dialog.getByText(`FROM ${view}`).first().waitFor();
      await dialog.getByRole('button', { name: 'Copy as curl' }).click();
      await dialog.getByRole('button', { name: 'Copied' }).waitFor();
      await dialog.getByRole('button', { name: 'Close' }).click();
      await dialog.waitFor({ state: 'detached' });
    }
    await page.close();
  });

  test('web visits stand by first and by last touch beside each other', async () => {
    const page = await open('web?tab=source');
    const rows = page.getByRole('table', { name: 'Sources' }).getByRole('row');
    await rows.filter({ hasText: 'mail' }).waitFor();
    const visitors = async (source: string) =>
      (await rows.filter({ hasText: source }).getByRole('cell').allTextContents()).slice(1, 4);
    expect(await visitors('mail')).toEqual(['1', '1', '0']);
    expect(await visitors('bing')).toEqual(['0', '1', '−1']);
    await expectAccessible(page);
    await page.close();
  }, 30_000);

  test('a link is created, leads where it should, is changed and deleted', async () => {
    const page = await open('links');
    await page.getByRole('button', { name: 'New link' }).click();
    await page.getByRole('button', { name: 'Create the link' }).click();
    await page.getByText('A name is needed.').waitFor();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Poster');
    await page.getByRole('textbox', { name: 'Website' }).fill('https://retention.example/poster');
    await page.getByRole('textbox', { name: 'ID in the link' }).fill('dr-poster');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create the link' }).click();
    await page.waitForURL(/links\/dr-poster/);
    await page.getByRole('link', { name: 'https://retention.example/poster?utm_id=dr-poster' }).first().waitFor();
    await page.getByRole('img', { name: 'QR code dr-poster' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('textbox', { name: 'Website' }).fill('https://retention.example/other');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: 'https://retention.example/other?utm_id=dr-poster' }).first().waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Poster is deleted.').waitFor();
    await page.close();
    expect(consoleErrors).toEqual([]);
  }, 40_000);
});
