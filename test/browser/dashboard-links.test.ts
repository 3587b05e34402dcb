/// <reference lib="dom" />
/** Links in a real Chromium: domain first, state, tags, UTM rules, files, clicks, ends and coloured codes. */
import { readFileSync } from 'node:fs';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { type Browser, type BrowserContext, type Page } from 'playwright-core';
import { inBrowser, launch, openContext, violations } from '../support/chromium';
import { ANDROID, DESKTOP, openLink } from '../support/links/links';
import { readOperator } from '../support/people/person';
import { readPostgres } from '../support/postgres';
import { ask } from '../support/reports/query';
import { idByName } from '../support/s2s/s2s-client';
import { eventually } from '../support/service';
import { sharedService } from '../support/shared-service';
import { ownNames } from '../support/workspace/own-names';

const own = ownNames('dashboard-links');
const KEY = own('key');
const DOMAIN = 'dashboard-links.example';

inBrowser('in Chromium', () => {
  const service = sharedService();
  let browser: Browser;
  let context: BrowserContext;
  const projects = new Map<string, number>();
  const consoleErrors: string[] = [];

  beforeAll(async () => {
    const project = (name: string, more: object = {}) => ({
      name: own(name),
      account: own('Acme'),
      timezone: 'Europe/Berlin',
      ...more,
    });
    await service.apply({
      accounts: [{ name: own('Acme') }],
      projects: [
        project('Shop', {
          website: 'https://shop.example',
          server_keys: [KEY],
          domains: [{ name: DOMAIN, primary: true }],
          campaigns: ['one', 'two', 'three'].map((name) => ({ display_id: `dl-${name}`, name: `Link ${name}` })),
        }),
        project('Empty'),
      ],
    });
    for (const name of ['Shop', 'Empty']) projects.set(name, await idByName(service, 'projects', own(name)));
    const { cookie } = await readOperator(service, 'dashboard-links@adtrail.example');
    const [name = '', value = ''] = cookie.split('=');
    browser = await launch();
    context = await openContext(browser, { viewport: { width: 1280, height: 900 } });
    await context.addCookies([{ name, value, url: service.url }]);
  }, 120_000);
  afterAll(() => browser?.close());

  async function open(path: string, project = 'Shop'): Promise<Page> {
    const page = await context.newPage();
    // Figures are 503 until what a new installation derives is there; the page asks again.
    page.on('console', (message) => {
      if (message.type() === 'error' && !/\b503\b/.test(message.text())) consoleErrors.push(message.text());
    });
    await page.goto(`${service.url}/projects/${projects.get(project)}/${path}`);
    return page;
  }
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const expectAccessible = async (page: Page) => expect(await violations(page)).toEqual([]);

  test('a project without a domain is asked for one, and makes no link before', async () => {
    const page = await open('links', 'Empty');
    await page.getByText('First, a domain').waitFor();
    expect(await button(page, 'New link').count()).toBe(0);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Add a domain' }).click();
    await page.waitForURL(/settings.*section=domains/);
    await page.close();
  }, 30_000);

  test('the list and the page say whether a link works, in words', async () => {
    const postgres = readPostgres(service);
    const [{ id } = { id: 0 }] = await postgres.rows<{ id: number }>('SELECT id FROM domains WHERE name = $1', [
      DOMAIN,
    ]);
    const found = async (state: string, msg: string) =>
      postgres.rows(
        `INSERT INTO domain_checks (domain_id, claimed_at, checked_at, state, msg)
        VALUES ($1, now() + interval '1 day', now(), $2, $3)
        ON CONFLICT (domain_id) DO UPDATE SET claimed_at = EXCLUDED.claimed_at, state = $2, msg = $3`,
        [id, state, msg],
      );
    await found('no_certificate', 'It has no valid certificate: its certificate is self-signed.');
    const page = await open('links');
    const row = page.getByRole('row').filter({ hasText: 'Link one' });
    await row.getByText('No certificate').waitFor();
    await row.getByText(`${DOMAIN}/dl-one`).waitFor();
    await row.getByRole('link', { name: 'Link one' }).click();
    await page.getByRole('alert').getByText('its certificate is self-signed').waitFor();
    await page.goBack();
    await button(page, 'New link').click();
    await page.getByRole('dialog').getByText('its certificate is self-signed').waitFor();
    await found('works', 'It leads here.');
    await page.reload();
    await page.getByRole('row').filter({ hasText: 'Link one' }).getByText('Works').waitFor();
    expect(await page.getByRole('dialog').getByText('self-signed').count()).toBe(0);
    await postgres.close();
    await page.close();
  }, 40_000);

  test('links are tagged together, and filtered by their tags', async () => {
    const page = await open('links');
    for (const name of ['one', 'two'])
      await page.getByRole('checkbox', { name: `Select Link ${name}`, exact: true }).check();
    await page.getByText('2 links are selected').waitFor();
    await button(page, 'Change them').click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Add tags').fill('Spring');
    await page.keyboard.press('Enter');
    await expectAccessible(page);
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByText('2 links are changed.').waitFor();
    await page.getByLabel('Tag', { exact: true }).first().click();
    await page.getByRole('option', { name: 'spring' }).click();
    await page.waitForURL(/tag=spring/);
    await page.getByRole('link', { name: 'Link three' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Link two' }).waitFor();
    await page.close();
  }, 40_000);

  test('UTM values are written by the rules of the project', async () => {
    const page = await open('links?form=rules');
    const rules = page.getByRole('dialog');
    await rules.getByRole('switch', { name: 'Only lower case' }).check();
    await rules.getByLabel('Between words').first().click();
    await page.getByRole('option', { name: 'Hyphen -' }).click();
    await rules.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The rules are saved.').waitFor();
    await page.goto(`${service.url}/projects/${projects.get('Shop')}/links/dl-three?settings=true`);
    const form = page.getByRole('dialog');
    await form.getByLabel('Source', { exact: true }).first().fill('Spring News');
    await form.getByLabel('Medium', { exact: true }).first().fill('email');
    await form.getByText('?utm_source=spring-news').waitFor();
    await form.getByLabel('Ends').fill('2999-07-01T18:00');
    await form.getByRole('textbox', { name: 'Title' }).fill('Look at this');
    await expectAccessible(page);
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The changes are saved.').first().waitFor();
    const answer = await service.request('/api/v1/links/dl-three', { headers: { 'service-key': KEY } });
    expect(await answer.json()).toMatchObject({
      utm: { utm_source: 'spring-news', utm_medium: 'email' },
      // 18:00 in Berlin.
      expires_at: '2999-07-01T16:00:00.000Z',
      preview: { title: 'Look at this' },
    });
    await page.close();
  }, 40_000);

  test('a file is tried out, mended, made and downloaded', async () => {
    const page = await open('links?form=file');
    const choose = (text: string) =>
      page.locator('input[type=file]').setInputFiles({
        name: 'links.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from(`name,display_id,website\n${text}`),
      });
    await choose('Good,dl-file-1,https://x.example\nBad,dl-file-2,nowhere\n');
    await page.getByText('1 refused').waitFor();
    await page.getByText('Please enter a valid URL').waitFor();
    expect(await button(page, 'Create 2 links').isDisabled()).toBe(true);
    await expectAccessible(page);
    await choose('Good,dl-file-1,https://x.example\nMended,dl-file-2,https://y.example\n');
    await button(page, 'Create 2 links').click();
    await page.getByText('2 links are created.').waitFor();
    const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Download the result').click()]);
    expect(readFileSync(await download.path(), 'utf8')).toContain(`https://${DOMAIN}/dl-file-2`);
    await page.close();
  }, 40_000);

  test('clicks by day, device, system, country and referrer agree with the API', async () => {
    for (const [ua, referer] of [
      [DESKTOP, 'https://news.example/a'],
      [ANDROID, 'https://news.example/b'],
      [ANDROID, ''],
    ] as const)
      await openLink(service, '/dl-two', { host: DOMAIN, ua, headers: referer ? { Referer: referer } : {} });
    const day = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin' });
    const [from, to] = [day.format(Date.now() - 7 * 86_400_000), day.format(Date.now())];
    await eventually('the clicks count', async () => {
      const filters = [['is', 'campaign', ['dl-two']]];
      const { results } = await ask(service, KEY, { source: 'app', from, to, metrics: ['clicks'], filters });
      return results[0]?.metrics[0] === 3 ? true : undefined;
    });
    const page = await open('links/dl-two');
    const cells = async (table: string, row: string) => {
      const found = page.getByRole('table', { name: table }).getByRole('row').filter({ hasText: row });
      await found.waitFor();
      return (await found.getByRole('cell').allTextContents()).at(-1);
    };
    expect(await cells('Devices', 'mobile')).toBe('2');
    expect(await cells('Systems', 'Android')).toBe('2');
    expect(await cells('Where it was opened', 'news.example')).toBe('2');
    expect(await cells('Where it was opened', '(none)')).toBe('1');
    await page.getByRole('table', { name: 'Countries' }).waitFor();
    await page.getByText(`https://${DOMAIN}/dl-two`, { exact: true }).waitFor();
    await expectAccessible(page);
    await page.goto(`${service.url}/projects/${projects.get('Shop')}/links`);
    const row = page.getByRole('row').filter({ hasText: 'Link two' });
    await eventually('the list has them', async () =>
      (await row.getByRole('cell').allTextContents()).includes('3') ? true : undefined,
    );
    await page.close();
  }, 60_000);

  test('a code is downloaded as PNG, large enough for print and in its colours', async () => {
    const page = await open('links/dl-three');
    await page.getByRole('img', { name: 'QR code dl-three' }).waitFor();
    await page.getByRole('textbox', { name: 'Code', exact: true }).fill('#1a1b4b');
    await eventually('the code has the colour', async () =>
      (await page.getByRole('img', { name: 'QR code dl-three' }).getAttribute('src'))?.includes('1a1b4b')
        ? true
        : undefined,
    );
    const [download] = await Promise.all([page.waitForEvent('download'), button(page, 'Download PNG').click()]);
    expect(download.suggestedFilename()).toBe('qr-dl-three.png');
    const png = readFileSync(await download.path());
    // The signature, and width and height of the first chunk.
    expect(png.subarray(0, 8)).toEqual(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'));
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1200, 1200]);
    const image = await loadImage(png);
    const drawing = createCanvas(image.width, image.height).getContext('2d');
    drawing.drawImage(image, 0, 0);
    const { data } = drawing.getImageData(0, 0, image.width, image.height);
    const colours = new Map<string, number>();
    for (let at = 0; at < data.length; at += 4) {
      const colour = Buffer.from(data.subarray(at, at + 3)).toString('hex');
      colours.set(colour, (colours.get(colour) ?? 0) + 1);
    }
    const most = [...colours].sort(([, a], [, b]) => b - a).map(([colour]) => colour);
    expect(most.slice(0, 2)).toEqual(['ffffff', '1a1b4b']);
    await page.close();
  }, 40_000);

  test('a code has colours, and a weak contrast is warned of', async () => {
    const page = await open('links/dl-one');
    const image = page.getByRole('img', { name: 'QR code dl-one' });
    await image.waitFor();
    await page.getByRole('textbox', { name: 'Code', exact: true }).fill('#1a1b4b');
    await eventually('the code has the colour', async () =>
      (await image.getAttribute('src'))?.includes('1a1b4b') ? true : undefined,
    );
    expect(await page.getByText('The contrast is').count()).toBe(0);
    await page.getByRole('textbox', { name: 'Code', exact: true }).fill('#cccccc');
    await page.getByText('The contrast is 1.6: many cameras need 4 or more.').waitFor();
    await page.close();
    expect(consoleErrors).toEqual([]);
  }, 40_000);
});
