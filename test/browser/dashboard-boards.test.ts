/// <reference lib="dom" />
/** Figures that agree in Chromium: one change on each page and on a board, charts that lead on, images that explain. */
import { type Browser, type Page } from 'playwright-core';
import { decided, postEvents, putSpend } from '../support/reports/app-report';
import type { Json } from '../support/collect/collect-client';
import { ownNames } from '../support/workspace/own-names';
import { readOperator, type Browser as Person } from '../support/people/person';
import { ask } from '../support/reports/query';
import { idByName } from '../support/s2s/s2s-client';
import { eventually } from '../support/service';
import { sharedService } from '../support/shared-service';
import { inBrowser, launch, openPage, violations } from '../support/chromium';

const service = sharedService();
const own = ownNames('pages-of-boards');
const KEY = own('key');
const APP = 'com.boards.pages';
const DAY_MS = 86_400_000;
/** Days in UTC, which is the project's zone; today is there, and is not over. */
const day = (ago: number) => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10);
/** Installs so many days ago: 3 in the last days that are over, 1 today, 2 before; the change is from 2 to 3. */
const INSTALLS = [0, 1, 2, 3, 8, 9];
const CHANGE = '↑ 50%';
const WEEK = { range: 'last_7_days', compare: 'previous_period' } as const;
const question = (more: object) => ({ source: 'app', metrics: ['installs', 'revenue'], ...WEEK, ...more });

inBrowser('in Chromium', () => {
  let projectId: number;
  let browser: Browser;
  let operator: Person;
  let boardId: number;

  beforeAll(async () => {
    await service.apply(
      own.document({
        accounts: [{ name: 'Acme' }],
        projects: [
          {
            ...{ name: 'Shop', account: 'Acme', timezone: 'UTC', currency: 'EUR', server_keys: ['key'] },
            apps: [{ platform: 'ANDROID', app_id: APP }],
            campaigns: [{ display_id: 'spring', name: 'Spring' }],
          },
        ],
      }),
    );
    projectId = await idByName(service, 'projects', own('Shop'));
    const events = INSTALLS.flatMap((ago, i): Json[] => {
      // The first minutes of a day are over whenever this is run.
      const common = { install_id: `i${i}`, app_id: APP, time: `${day(ago)}T00:00:01Z` };
      const attribution = { campaign_display_id: 'spring', touch_type: 'click' };
      return [
        { ...common, event_id: `install-${i}`, type: 'install', attribution },
        { ...common, event_id: `payment-${i}`, type: 'payment', amount: 10, currency: 'EUR' },
      ];
    });
    await postEvents(service, KEY, events);
    await putSpend(service, KEY, [
      { campaign_id: 'spring', date: day(2), spend: '20', currency: 'EUR', clicks: 3, impressions: 1_000 },
    ]);
    await decided(service, projectId, INSTALLS.length);
    await eventually('the payments are in the figures', async () => {
      const { results } = await ask(service, KEY, { source: 'app', metrics: ['revenue'], from: day(9), to: day(0) });
      return results[0]?.metrics[0] === INSTALLS.length * 10 ? true : undefined;
    });
    operator = await readOperator(service, 'pages-of-boards@adtrail.example');
    const send = async (path: string, body: object) =>
      Number((await operator.send('POST', `/api/v1/${path}`, body, { 'project-id': String(projectId) })).body.id);
    const save = (name: string, more: object) => send('questions', { name, question: question(more) });
    const items = await Promise.all([
      save('Growth', { chart: 'number' }),
      save('By campaign', { dimensions: ['campaign'], chart: 'table' }),
      save('Countries', { dimensions: ['campaign'], chart: 'bar', metrics: ['installs'] }),
      save('Over time', { dimensions: ['day'], chart: 'line', metrics: ['installs'] }),
      save('Two with four', {
        ...{ dimensions: ['day'], chart: 'line', metrics: ['installs'], range: undefined },
        ...{ from: day(2), to: day(1), compare: { from: day(6), to: day(3) } },
      }),
    ]);
    const places = items.map((question_id, at) => ({
      question_id,
      x: (at % 2) * 6,
      y: Math.floor(at / 2) * 5,
      w: 6,
      h: 5,
    }));
    boardId = await send('boards', { name: 'Figures', items: places });
    browser = await launch();
  }, 360_000);
  afterAll(() => browser?.close());
  afterEach(() => Promise.all(browser.contexts().map((context) => context.close())));

  async function open(path: string): Promise<{ page: Page; problems: string[] }> {
    const { page, problems } = await openPage(browser, service.url, operator);
    page.setDefaultTimeout(60_000);
    await page.goto(`${service.url}/projects/${projectId}/${path}`);
    return { page, problems };
  }
  const inRow = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name }).getByText(CHANGE).first();

  test('a change is the same on the overview, in lists and on a board, without the day that runs', async () => {
    const period = 'period=last_7_days';
    const overview = await open(`overview?${period}`);
    await overview.page
      .getByRole('button', { name: /^Installs/ })
      .getByText(CHANGE)
      .waitFor();
    for (const list of ['campaigns', 'explore']) {
      const { page, problems } = await open(`${list}?${period}`);
      const change = inRow(page, 'Spring');
      await change.waitFor();
      await change.hover();
      await page
        .getByRole('tooltip')
        .getByText(/vs .* Without today, which is not over/)
        .waitFor();
      expect(problems).toEqual([]);
    }
    const { page, problems } = await open(`boards/${boardId}`);
    await page.getByRole('group', { name: 'Growth' }).getByText(CHANGE).first().waitFor();
    await inRow(page, 'Spring').hover();
    await page
      .getByRole('tooltip')
      .getByText(/vs .* Without today, which is not over/)
      .waitFor();
    expect(await violations(page)).toEqual([]);
    expect(problems).toEqual([]);
  }, 180_000);

  test('a tile, a row and a bar of a board lead to the question, filtered to what was pressed', async () => {
    const { page, problems } = await open(`boards/${boardId}`);
    await page.getByRole('link', { name: 'By campaign' }).click();
    await page.getByRole('heading', { name: 'Explore' }).waitFor();
    await inRow(page, 'Spring').waitFor();
    expect(decodeURIComponent(page.url())).toContain('by=["campaign"]');
    await page.goBack();
    await page.getByRole('link', { name: 'Spring' }).click();
    await page.getByRole('heading', { name: 'Explore' }).waitFor();
    expect(decodeURIComponent(page.url())).toContain('filters=[["is","campaign",["spring"]]]');
    await page.goBack();
    const bars = page.getByRole('group', { name: /^Countries/ });
    await bars.focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Explore' }).waitFor();
    expect(decodeURIComponent(page.url())).toMatch(/filters=.*spring.*over=rows|over=rows.*filters=.*spring/);
    expect(problems).toEqual([]);
  }, 180_000);

  test('a chart has all days of a longer range that it is compared with', async () => {
    const { page, problems } = await open(`boards/${boardId}`);
    await page.getByRole('figure', { name: 'Two with four' }).getByRole('button', { name: 'Show as a table' }).click();
    const rows = page.getByRole('table', { name: 'Two with four' }).getByRole('row');
    await eventually('all days are there', async () => ((await rows.count()) === 5 ? true : undefined));
    const before = await rows.locator('td:last-child').allTextContents();
    const counted = [6, 5, 4, 3].map((ago) => String(INSTALLS.filter((one) => one === ago).length));
    expect(before).toEqual(counted);
    expect(problems).toEqual([]);
  }, 180_000);

  test('an image says whose figures it shows, of which days, and what its lines are compared with', async () => {
    const { page } = await openPage(browser, service.url, operator);
    await page.addInitScript(() => {
      const drawn: string[] = [];
      Object.assign(window, { drawn });
      const canvas = CanvasRenderingContext2D.prototype;
      const fillText = Reflect.get(canvas, 'fillText') as (...given: unknown[]) => void;
      canvas.fillText = function (this: CanvasRenderingContext2D, text: string, ...more: number[]) {
        // Charts draw on canvases of the page, the image on one that is nowhere.
        if (!this.canvas.isConnected) drawn.push(text);
        fillText.call(this, text, ...more);
      };
    });
    const readDrawn = async () =>
      (await page.evaluate(() => (window as unknown as { drawn: string[] }).drawn)).join('\n');
    await page.goto(`${service.url}/projects/${projectId}/overview?period=last_7_days`);
    await page.getByRole('img', { name: /Installs/ }).waitFor();
    await page.getByRole('button', { name: 'Share' }).click();
    const saved = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: /PNG/ }).first().click();
    expect((await saved).suggestedFilename()).toMatch(/\.png$/);
    expect(await readDrawn()).toMatch(
      new RegExp(`Installs\n${own('Shop')} · Overview · .*, compared with .*\nInstalls\nvs `),
    );
    await page.goto(`${service.url}/projects/${projectId}/boards/${boardId}`);
    const again = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download Over time as PNG' }).click();
    await again;
    expect(await readDrawn()).toMatch(new RegExp(`Over time\n${own('Shop')} · .*\nInstalls\nvs `));
  }, 180_000);

  test('the page of any value says what its users pay by day, and who stays', async () => {
    const { page, problems } = await open('values/platform?value=ANDROID&period=last_28_days&horizon=3');
    await page.getByRole('figure', { name: 'Payback' }).waitFor();
    await page.getByRole('figure', { name: 'Retention by day since install' }).waitFor();
    expect(await violations(page)).toEqual([]);
    expect(problems).toEqual([]);
  }, 180_000);
});
