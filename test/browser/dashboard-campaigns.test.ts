/// <reference lib="dom" />
/** The pages of campaigns in Chromium: which one loses money, what it consists of, pausing it, and who may. */
import { readFileSync } from 'node:fs';
import { type Browser, type Page } from 'playwright-core';
import { decided, postEvents, putSpend } from '../support/reports/app-report';
import type { Json } from '../support/collect/collect-client';
import { ownNames } from '../support/workspace/own-names';
import { readOperator, findPerson, type Browser as Person } from '../support/people/person';
import { ask } from '../support/reports/query';
import { idByName } from '../support/s2s/s2s-client';
import { eventually } from '../support/service';
import { sharedService } from '../support/shared-service';
import { inBrowser, launch, openContext, violations } from '../support/chromium';

const service = sharedService();
const own = ownNames('pages-of-campaigns');
const KEY = own('key');
const INSTALLS = 6;
/** Credited to no campaign. */
const ORGANIC = 1;
const RANGE = 'from=2025-06-01&to=2025-06-28&compare=none';
const document = own.document({
  accounts: [{ name: 'Acme' }],
  projects: [
    {
      name: 'Shop',
      account: 'Acme',
      timezone: 'Europe/Berlin',
      currency: 'EUR',
      server_keys: ['key'],
      apps: [{ platform: 'ANDROID', app_id: 'com.campaigns.shop' }],
      campaigns: [
        { display_id: 'dear', name: 'Dear one' },
        { display_id: 'cheap', name: 'Cheap one' },
        { display_id: 'silent', name: 'Silent one' },
      ],
    },
  ],
});

const event = (type: string, i: number, more: Json): Json => ({
  event_id: `${type}-${i}`,
  type,
  install_id: `shopper-${i}`,
  app_id: 'com.campaigns.shop',
  time: new Date(Date.UTC(2025, 5, 2 + i, 10)).toISOString(),
  ...more,
});
const spend = (campaign_id: string, amount: string): Json => ({
  campaign_id,
  date: '2025-06-02',
  spend: amount,
  currency: 'EUR',
  clicks: 3,
  impressions: 1_000,
});

inBrowser('in Chromium', () => {
  let projectId: number;
  let browser: Browser;
  let operator: Person;
  let viewer: Person;

  beforeAll(async () => {
    await service.apply(document);
    projectId = await idByName(service, 'projects', own('Shop'));
    await postEvents(
      service,
      KEY,
      Array.from({ length: INSTALLS }, (_, i) => [
        event('install', i, {
          attribution: { campaign_display_id: i % 2 === 0 ? 'dear' : 'cheap', touch_type: 'click' },
        }),
        event('payment', i, { amount: 10, currency: 'EUR' }),
      ]).flat(),
    );
    await postEvents(service, KEY, [
      event('install', INSTALLS, {}),
      event('payment', INSTALLS, { amount: 10, currency: 'EUR' }),
    ]);
    await putSpend(service, KEY, [spend('dear', '100'), spend('cheap', '5')]);
    await decided(service, projectId, INSTALLS + ORGANIC);
    const question = { source: 'app', metrics: ['revenue'], from: '2025-06-01', to: '2025-06-28' };
    await eventually('the payments are in the figures', async () =>
      (await ask(service, KEY, question)).results[0]?.metrics[0] === (INSTALLS + ORGANIC) * 10 ? true : undefined,
    );
    operator = await readOperator(service, 'campaigns@adtrail.example');
    const { body } = await operator.send('GET', '/auth/v1/me');
    const project = (body.projects as { id: number; account_id: number }[]).find(({ id }) => id === projectId);
    const place = { account_id: project?.account_id as number };
    viewer = await findPerson(service, operator, 'viewer', place, 'campaigns-viewer@adtrail.example');
    browser = await launch();
  }, 360_000);
  afterAll(() => browser?.close());
  // What is left open goes on asking, and the next page waits for its reports.
  afterEach(() => Promise.all(browser.contexts().map((context) => context.close())));

  /** A page at which somebody is signed in; what its console says against it is kept. */
  async function open(person: Person, path: string, bypassCSP = false) {
    const context = await openContext(browser, { bypassCSP });
    const [name = '', value = ''] = person.cookie.split(/=(.*)/s);
    await context.addCookies([{ name, value, url: service.url }]);
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    const errors: string[] = [];
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
    page.on('pageerror', (error) => errors.push(error.message));
    await page.goto(`${service.url}/projects/${projectId}/${path}`);
    return { page, errors };
  }

  const findRow = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });

  test('the list says which campaign does not pay back, and has those without figures, too', async () => {
    const { page, errors } = await open(operator, `campaigns?${RANGE}`);
    await page.getByText('One campaign has not reached the target by day 30.').waitFor();
    await page.getByText('paid back 30%').waitFor();
    await page.getByText('100% of the installs are old enough.').waitFor();
    expect(await findRow(page, 'Dear one').innerText()).toMatch(
      /Below target[^]*€100\.00[^]*€30\.00[^]*−€70\.00[^]*0\.30[^]*0\.30/i,
    );
    // Totals are of campaigns; what none is credited with is a row of its own.
    expect(await findRow(page, 'All campaigns').innerText()).toMatch(/€105\.00[^]*€60\.00[^]*−€45\.00[^]*0\.57/);
    expect(await findRow(page, 'Organic').innerText()).toMatch(/€10\.00/);
    expect(await findRow(page, 'Cheap one').innerText()).toMatch(/€5\.00[^]*€30\.00[^]*€25\.00[^]*6\.00/);
    expect(await findRow(page, 'Silent one').count()).toBe(1);
    await page.getByRole('button', { name: 'Show ad sets and ads of Dear one' }).click();
    await page.getByText('No ad sets are known of it').waitFor();
    expect(page.url()).toContain('open=');
    await page.getByLabel('Search by name or ID').fill('cheap');
    await page.getByText('1 of 3 campaigns').waitFor();
    expect(errors).toEqual([]);
  }, 90_000);

  test('its page says when it pays back; pausing asks first, and says what it did', async () => {
    const { page, errors } = await open(operator, `campaigns?${RANGE}`);
    await findRow(page, 'Dear one').getByRole('link', { name: 'Dear one' }).click();
    await page.getByText('It has not reached the target by day 30').waitFor();
    await page.getByText('had paid back 30% of their cost by day 30; the target of the project is 100%').waitFor();
    expect(page.url()).toContain('/campaigns/dear?');
    expect(page.url()).toContain('from=2025-06-01');
    await page.getByText('By day 30 they had paid back 30% of their cost; the target is 100%.').waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Dear one is paused.').waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('Dear one is active again.').waitFor();
    expect(errors).toEqual([]);
  }, 90_000);

  test('everything leads further: a list to Explore, a row to a filter, a value to its page', async () => {
    const { page, errors } = await open(viewer, `overview?${RANGE}`);
    await page.locator('section', { hasText: 'Top campaigns' }).getByRole('link', { name: 'View all' }).click();
    await page.getByRole('heading', { name: 'Explore' }).waitFor();
    await findRow(page, 'Dear one').getByText('€100.00').waitFor();
    expect(page.url()).toContain('from=2025-06-01');
    await page.getByRole('button', { name: 'Cheap one', exact: true }).last().click();
    await page.getByRole('button', { name: 'Campaign is Cheap one: change the filter' }).click();
    await page.getByRole('textbox', { name: 'Values' }).fill('DEAR');
    await page.getByRole('checkbox', { name: 'Dear one' }).click();
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('button', { name: /Campaign is Cheap one, Dear one: change/ }).waitFor();
    await findRow(page, 'Dear one').waitFor();
    await page.getByText('Pivot', { exact: true }).click();
    await page.getByText('A pivot table needs two dimensions or more').waitFor();
    await page.getByRole('combobox', { name: 'By', exact: true }).fill('plat');
    await page.getByRole('option', { name: 'Platform' }).click();
    await page.getByRole('table', { name: 'Pivot' }).getByText('Android').waitFor();
    await page.getByRole('table', { name: 'Pivot' }).getByRole('row', { name: 'Total 6' }).waitFor();
    await page.reload();
    await page.getByRole('table', { name: 'Pivot' }).getByText('Android').waitFor();
    await page.goto(`${service.url}/projects/${projectId}/values/platform?value=ANDROID&${RANGE}`);
    await page.getByRole('heading', { name: 'Android' }).waitFor();
    await page.getByRole('link', { name: 'Cheap one' }).click();
    await page.waitForURL(/campaigns\/cheap/);
    await page.goto(`${service.url}/projects/${projectId}/funnel?${RANGE}`);
    await page.getByRole('combobox', { name: 'Step 2' }).click();
    await page.getByRole('option', { name: 'Payment' }).click();
    await page.getByRole('button', { name: 'Remove step 3' }).click();
    await page.getByRole('listitem').filter({ hasText: '2. Payment' }).getByText('100.00%').first().waitFor();
    // What is shown of the steps before stays until the new answer is there.
    await findRow(page, 'Cheap one')
      .filter({ hasText: /3\s*3\s*100\.00%/ })
      .waitFor();
    expect(errors).toEqual([]);
  }, 120_000);

  test('the palette leads to a page, a campaign, an install by its ID and a section of the settings', async () => {
    const { page, errors } = await open(operator, `overview?${RANGE}`);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    const goTo = async (typed: string, name: string | RegExp, url: RegExp) => {
      await page.keyboard.press('Control+K');
      await page.getByRole('textbox', { name: 'Go to …' }).fill(typed);
      await page.getByRole('dialog').getByRole('button', { name }).click();
      await page.waitForURL(url);
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    };
    await goTo('funn', 'Funnels', /funnel/);
    await goTo('chea', /^Cheap one/, /campaigns\/cheap\?.*from=2025-06-01/);
    await goTo('shopper-3', /^shopper-3/, /installs\/shopper-3/);
    await page.getByText('Cheap one').first().waitFor();
    await goTo('exchange', /^Exchange rates/, /settings\?.*section=rates/);
    await page.keyboard.press('Control+K');
    await page.getByRole('textbox', { name: 'Go to …' }).fill('shopper-none');
    await page.getByText('Nothing is called that').waitFor();
    expect(errors).toEqual([]);
  }, 90_000);

  test('a question is kept, opened, renamed and deleted; its answer is taken along as files and curl', async () => {
    const { page, errors } = await open(operator, `explore?${RANGE}&by=["platform"]`);
    await findRow(page, 'Android').waitFor();
    const inMenu = async (name: string | RegExp, of = 'Saved') => {
      await page.getByRole('button', { name: of }).click();
      await page.getByRole('menuitem', { name }).click();
    };
    await inMenu('Save this question');
    await page.getByRole('textbox', { name: 'Name' }).fill('By platform');
    // What is not saved is not lost by a slip.
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Lose your changes?' }).getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText('By platform is saved. Boards can show it.').waitFor();

    const download = async (name: string) => {
      const [file] = await Promise.all([page.waitForEvent('download'), inMenu(name, 'Share and download')]);
      return { name: file.suggestedFilename(), text: readFileSync(await file.path()).toString('latin1') };
    };
    const csv = await download('Download CSV');
    expect(csv.name).toMatch(/2025-06-01.*\.csv$/);
    expect(csv.text).toMatch(/ANDROID/);
    expect(JSON.parse((await download('Download NDJSON')).text.split('\n')[0] as string)).toMatchObject({
      platform: 'ANDROID',
    });
    expect((await download('Download Parquet')).text).toMatch(/^PAR1[^]*PAR1$/);
    await inMenu('Copy as curl', 'Share and download');
    const curl = await page.evaluate(() => navigator.clipboard.readText());
    expect(curl).toMatch(/^curl [^]*reporting\/query[^]*"platform"/);

    await page.goto(`${service.url}/projects/${projectId}/explore?${RANGE}`);
    await findRow(page, 'Cheap one').waitFor();
    await inMenu('By platform');
    await findRow(page, 'Android').waitFor();
    await inMenu('Rename or delete saved questions');
    await page.getByRole('textbox', { name: 'Name of By platform' }).fill('Platforms');
    await page.getByRole('button', { name: 'Rename By platform' }).click();
    await page.getByRole('button', { name: 'Delete Platforms' }).click();
    await page.getByRole('dialog', { name: 'Delete Platforms?' }).getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Platforms is deleted.').waitFor();
    await page.getByText('No question is saved yet').waitFor();
    expect(errors).toEqual([]);
  }, 120_000);

  test('a note on a day is written, changed and deleted, and every chart of that day shows it', async () => {
    const { page, errors } = await open(operator, `overview?${RANGE}&granularity=day`);
    const write = async (text: string) => {
      await page.getByRole('dialog').getByRole('textbox', { name: 'What happened' }).fill(text);
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.getByText(text).first().waitFor();
    };
    await page.getByRole('button', { name: 'Add a note' }).first().click();
    await write('The price went up');
    await page.getByRole('button', { name: 'Change the note The price went up' }).first().click();
    await write('The price went down');
    await page.goto(`${service.url}/projects/${projectId}/explore?${RANGE}`);
    await page.getByText('The price went down').first().waitFor();
    await page.getByRole('button', { name: 'Delete the note The price went down' }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('The price went down').first().waitFor({ state: 'detached' });
    expect(errors).toEqual([]);
  }, 90_000);

  test('what is compared is named, and so is a target of the project', async () => {
    const change = (body: Json) => operator.send('PUT', `/admin/v1/projects/${projectId}`, body);
    expect((await change({ target_roas: 0.25, locale: 'de-DE' })).status).toBe(200);
    const earlier = 'compare=custom&compare_from=2025-05-01&compare_to=2025-05-31';
    const { page } = await open(operator, `campaigns/dear?from=2025-06-01&to=2025-06-28&${earlier}`);
    await page.getByText('By day 30 they had paid back 30').waitFor();
    await page.getByText('the target of 25').waitFor();
    // Numbers and days as they are written there; the range compared with is older than the project's data.
    await page.getByText('100,00').first().waitFor();
    await page.getByText(/^vs 1\.–31\. Mai 2025 \(not all of its days have data\)$/).waitFor();
    expect((await change({ target_roas: 1, locale: 'en-US' })).status).toBe(200);
    await page.goto(`${service.url}/projects/${projectId}/overview?${RANGE}&granularity=week`);
    await page.getByRole('heading', { name: 'Installs by week' }).waitFor();
    await page.getByRole('button', { name: /Installs 7 1 organic/ }).waitFor();
    await page.getByText('Times in Europe/Berlin').waitFor();
    await page.getByRole('button', { name: /Jun 1 – 28, 2025/ }).click();
    await page.getByRole('button', { name: 'All time' }).click();
    await page.getByRole('button', { name: /^All time .*\d/ }).waitFor();
    const byCountry = encodeURIComponent(JSON.stringify([['is_not', 'country', ['FR']]]));
    await page.goto(`${service.url}/projects/${projectId}/campaigns?${RANGE}&filters=${byCountry}`);
    await page.getByText(/^–: unknown\. Ad networks do not tell .*Spend/).waitFor();
    expect(await findRow(page, 'Dear one').innerText()).not.toContain('€0.00');
    expect((await change({ locale: 'english' })).status).toBe(400);
  }, 90_000);

  test('a point of a chart is chosen, opened and noted with the keyboard alone', async () => {
    const { page, errors } = await open(operator, `overview?${RANGE}&granularity=day`);
    const points = page.getByRole('group', { name: /^Installs: arrow keys choose a point/ });
    await points.locator('canvas').waitFor();
    await points.focus();
    const said = points.locator('[aria-live]');
    for (const [key, day] of [
      ['Home', 'Jun 1'],
      ['ArrowRight', 'Jun 2'],
      ['End', 'Jun 28'],
      ['ArrowLeft', 'Jun 27'],
      ['ArrowLeft', 'Jun 26'],
    ] as const) {
      await page.keyboard.press(key);
      await eventually(`${key} says its day`, async () => ((await said.innerText()).includes(day) ? true : undefined));
    }
    const item = (name: string) => page.getByRole('menuitem', { name, exact: true });
    const isFocused = (name: string) =>
      eventually(`${name} has the focus`, async () =>
        (await item(name).evaluate((one) => one === one.ownerDocument.activeElement)) ? true : undefined,
      );
    await page.keyboard.press('Enter');
    await item('Add a note to Jun 26').waitFor();
    expect(await violations(page)).toEqual([]);
    // Escape leads back to the point.
    await page.keyboard.press('Escape');
    await item('Add a note to Jun 26').waitFor({ state: 'detached' });
    await eventually('the chart has the focus again', async () =>
      (await points.evaluate((one) => one === one.ownerDocument.activeElement)) ? true : undefined,
    );
    await page.keyboard.press('Enter');
    await isFocused('Show Jun 26, 2025 only');
    await page.keyboard.press('ArrowDown');
    await isFocused('Add a note to Jun 26');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Add a note' }).waitFor();
    await page.keyboard.press('Escape');
    await points.focus();
    await page.keyboard.press('Enter');
    await isFocused('Show Jun 26, 2025 only');
    await page.keyboard.press('Enter');
    await page.waitForURL(/from=2025-06-26&to=2025-06-26/);
    expect(errors).toEqual([]);
  }, 90_000);

  test('a viewer sees the figures, but nothing to pause', async () => {
    const { page } = await open(viewer, `campaigns/dear?${RANGE}`);
    await page.getByText('Active', { exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Pause' }).count()).toBe(0);
    const headers = { 'project-id': String(projectId) };
    const { status } = await viewer.send('PATCH', '/api/v1/campaigns/dear', { active: false }, headers);
    expect(status).toBe(403);
  }, 90_000);

  test.each([`campaigns?${RANGE}`, `campaigns/dear?${RANGE}`])(
    '%s has no serious violation',
    async (path) => {
      const { page } = await open(operator, path, true);
      await page.getByText('Dear one').first().waitFor();
      await page.waitForFunction(() => !window.document.querySelector('.mantine-Skeleton-root'));
      expect(await violations(page)).toEqual([]);
    },
    60_000,
  );
});
