/// <reference lib="dom" />
/** The pages of installs and of spend, in a real Chromium against the running service. */
import crypto from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Browser, type BrowserContext, type Page } from 'playwright-core';
import { installsWith } from '../support/attribution/attribution';
import { ownNames } from '../support/workspace/own-names';
import { readOperator } from '../support/people/person';
import { sharedService } from '../support/shared-service';
import { TOKEN, workspace } from '../support/workspace/workspace';
import { inBrowser, launch, openContext, violations } from '../support/chromium';

const own = ownNames('pages-installs');
const KEY = own('server-key');
const GAID = crypto.randomUUID();
const document = own.document({
  ...workspace,
  projects: workspace.projects.map((project) =>
    project.name === 'Acme Shop' ? { ...project, server_keys: ['server-key'] } : project,
  ),
});

inBrowser('in Chromium', () => {
  const service = sharedService();
  const installed = installsWith(service, KEY);
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let base: string;
  let credited: string;

  beforeAll(async () => {
    await service.apply(document);
    const click = await service.request(`/v1/click/com.acme.shop?c=AbC123&tid=pages-installs-1&gaid=${GAID}`, {
      headers: { 'X-Service-Token': own(TOKEN) },
    });
    expect(click.status).toBe(200);
    credited = (await installed({ gaid: GAID })).install_id;
    const operator = await readOperator(service, 'installs@adtrail.example');
    const me = (await operator.send('GET', '/auth/v1/me')).body as { projects: { id: number; name: string }[] };
    const project = me.projects.find(({ name }) => name === own('Acme Shop'));
    base = `${service.url}/projects/${project?.id}`;
    browser = await launch();
    context = await openContext(browser, { viewport: { width: 1280, height: 900 } });
    const [name = '', value = ''] = operator.cookie.split(/=(.*)/s);
    await context.addCookies([{ name, value, url: service.url }]);
    page = await context.newPage();
  }, 360_000);
  afterAll(() => browser?.close());

  const expectAccessible = async () => expect(await violations(page)).toEqual([]);

  test('an install arrives in the list while one looks, and says why it was credited', async () => {
    await page.goto(`${base}/installs`);
    await page.getByRole('link', { name: credited }).waitFor();
    await expectAccessible();
    const { install_id: late } = await installed({});
    await page.getByRole('link', { name: late }).waitFor({ timeout: 15_000 });
    await page.getByRole('textbox', { name: 'Install, device or user' }).fill(GAID.toUpperCase());
    await page.getByRole('link', { name: late }).waitFor({ state: 'detached' });
    await page.waitForURL(/search=/);
    await page.getByRole('link', { name: credited }).click();
    await page.getByRole('heading', { name: /^Credited to Campaign AbC123 of/ }).waitFor();
    await page.getByText('The install is credited to it.').waitFor();
    await page.getByText('Click injection', { exact: false }).first().waitFor();
    await expectAccessible();
  }, 60_000);

  test('a file of spend is checked, its bad rows are shown, and the good ones are stored', async () => {
    await page.goto(`${base}/spend?tab=upload`);
    const day = new Date().toISOString().slice(0, 10);
    const csv = `date,campaign_id,spend,currency\n${day},AbC123,12.50,USD\n${day},AbC123,much,USD\n`;
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'spend.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
    await page.getByText('must be an amount with a decimal point').waitFor();
    const [refused] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download as CSV' }).click(),
    ]);
    expect(readFileSync(await refused.path(), 'utf8')).toMatch(/^\ufeff[^\n]+\n[^\n]*must be an amount/);
    await expectAccessible();
    await page.getByRole('button', { name: 'Upload 1 good row' }).click();
    await page.getByRole('button', { name: 'See the spend' }).click();
    await page.getByRole('table', { name: 'Spend' }).waitFor();
    await expectAccessible();
  }, 60_000);
});
