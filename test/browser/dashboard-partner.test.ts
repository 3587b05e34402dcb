/// <reference lib="dom" />
/** The pages of a partner in a real Chromium: URLs to paste, a batch, a refused request, one click, and Escape. */
import crypto from 'node:crypto';
import type { Browser as Chromium, Page } from 'playwright-core';
import { decided } from '../support/attribution/attribution';
import { inBrowser, launch, openPage, violations } from '../support/chromium';
import { appEvent, collectApp } from '../support/collect/collect-client';
import { findPerson, readOperator, type Browser } from '../support/people/person';
import { idByName } from '../support/s2s/s2s-client';
import { eventually } from '../support/service';
import { sharedService } from '../support/shared-service';
import { ownNames } from '../support/workspace/own-names';

const own = ownNames('pages-partner');
const LIMIT = 60_000;
const APP = 'com.pages.partner';

inBrowser('in Chromium', () => {
  const service = sharedService();
  let chromium: Chromium;
  let admin: Browser;
  let owner: Browser;
  let partnerId: number;
  let projectId: number;

  const click = (params: Record<string, string>) =>
    service.request(`/v1/click?${new URLSearchParams({ app_id: APP, c: 'spring', ...params }).toString()}`, {
      headers: { 'X-Service-Token': own('token') },
    });

  beforeAll(async () => {
    await service.apply(
      own.document({
        accounts: [{ name: 'Account' }],
        partners: [{ name: 'Network', tokens: ['token'] }],
        projects: [
          {
            name: 'Shop',
            account: 'Account',
            timezone: 'UTC',
            server_keys: ['key'],
            apps: [{ platform: 'ANDROID', app_id: APP }],
            domains: [{ name: 'go.pages-partner.example', primary: true }],
            partner_switches: [{ partner: 'Network', s2s_clicks: true, s2s_traffic: true, view_through: true }],
            campaigns: [{ display_id: 'spring', name: 'Spring', partner: 'Network' }],
          },
        ],
      }),
    );
    partnerId = await idByName(service, 'partners', own('Network'));
    projectId = await idByName(service, 'projects', own('Shop'));
    const gaid = crypto.randomUUID();
    await click({ tid: 'won', gaid, s2: 'banner', click_time: String(Date.now() - 60_000) });
    await click({ tid: 'bad', gaid: 'no-device' });
    await collectApp(service, [appEvent('install', { install_id: 'pages-partner-1', app_id: APP, gaid })], {
      'service-key': own('key'),
    });
    await decided(service, ['pages-partner-1']);
    const operator = await readOperator(service, own('operator@adtrail.example'));
    const { body } = await operator.send('GET', '/auth/v1/me');
    const { account_id } = (body.projects as { id: number; account_id: number }[]).find(
      ({ id }) => id === projectId,
    ) as { account_id: number };
    owner = await findPerson(service, operator, 'owner', { account_id }, own('owner@adtrail.example'));
    const place = { partner_id: partnerId };
    admin = await findPerson(service, operator, 'partner_admin', place, own('admin@adtrail.example'));
    await eventually('the sample is stored', async () => {
      const { body: refused } = await service.admin('GET', `/partners/${partnerId}/refused-requests`);
      return (refused.requests as object[]).length > 0 ? true : undefined;
    });
    chromium = await launch();
  }, 360_000);
  afterAll(() => chromium?.close());

  async function withPage(who: Browser, path: string, work: (page: Page) => Promise<void>): Promise<void> {
    const { page, context, problems } = await openPage(chromium, service.url, who);
    await page.goto(`${service.url}${path}`);
    await work(page);
    if (process.env.SCREENSHOTS)
      await page.screenshot({ path: `${process.env.SCREENSHOTS}/${path.replace(/\W+/g, '-')}.png`, fullPage: true });
    await context.close();
    expect(problems).toEqual([]);
  }
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

  test(
    'the URL of a network has its macros, the campaign and the app; the same for the advertiser',
    async () => {
      const choose = async (page: Page) => {
        await page.getByRole('combobox', { name: 'Ad network or tracker' }).click();
        await page.getByRole('option', { name: 'TikTok' }).click();
        const code = page.getByText('__CALLBACK_PARAM__', { exact: false }).first();
        const url = (await code.textContent()) ?? '';
        expect(url).toContain(`/v1/click?app_id=${APP}&c=spring&tid=__CALLBACK_PARAM__&gaid=__GAID__&ip=__IP__`);
        // The app is one of Android.
        expect(url).not.toContain('idfa');
        expect(await violations(page)).toEqual([]);
        await page.getByRole('combobox', { name: 'Ad network or tracker' }).click();
        await page.getByRole('option', { name: 'Taboola' }).click();
        const link = `https://${own('go.pages-partner.example')}/?c=spring&tid={click_id}`;
        await page.getByText(link, { exact: true }).waitFor();
        await page.getByRole('tab', { name: 'Postback' }).click();
        await page.getByText('s2s-action?click-id={tid}', { exact: false }).waitFor();
      };
      await withPage(admin, `/partners/${partnerId}/credentials`, choose);
      await withPage(owner, `/projects/${projectId}/partners/${partnerId}`, choose);
    },
    LIMIT,
  );

  test(
    'a batch is pasted, and each record has its outcome in order',
    () =>
      withPage(admin, `/partners/${partnerId}/test-bench?mode=batch`, async (page) => {
        const good = { kind: 'click', app_id: APP, c: 'spring', tid: 'b-1', ip: '203.0.113.7' };
        const body = [good, { ...good, tid: '{click_id}' }, { kind: 'view' }].map((one) => JSON.stringify(one));
        await page.getByRole('textbox', { name: 'Records' }).fill(body.join('\n'));
        await button(page, 'Test').click();
        await page.getByText('1 would be accepted, 2 refused').waitFor();
        const rows = await page.getByRole('row').allTextContents();
        expect(rows.slice(1).map((row) => row.slice(0, 1))).toEqual(['1', '2', '3']);
        expect(rows[2]).toContain('{click_id} is a macro of');
        expect(await violations(page)).toEqual([]);
        await page.getByRole('switch', { name: 'Refused ones only' }).click();
        await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 2);
      }),
    LIMIT,
  );

  test(
    'what became of a click; a refused request opens in the test bench with one click, and is tested',
    () =>
      withPage(admin, `/partners/${partnerId}/touches`, async (page) => {
        await page.getByRole('textbox', { name: 'ID of the click or impression' }).fill('won');
        await button(page, 'Find').click();
        await page.getByText('An install is credited to it').waitFor();
        await page.getByText('s2=banner').waitFor();
        expect(page.url()).toContain('search=won');
        expect(await violations(page)).toEqual([]);
        await page
          .getByRole('link', { name: /^Open the request of/ })
          .first()
          .click();
        await page.getByText('This request was refused: Bad device ID.', { exact: false }).waitFor();
        await page.getByText('It would be refused: Bad device ID').waitFor();
        expect(page.url()).not.toContain('no-device');
      }),
    LIMIT,
  );

  test(
    'an advertiser finds the same click, with its install',
    () =>
      withPage(owner, `/projects/${projectId}/touches?search=won`, async (page) => {
        await page.getByRole('link', { name: 'Install pages-partner-1' }).click();
        await page.waitForURL(/installs\/pages-partner-1/);
      }),
    LIMIT,
  );

  test(
    'credited installs with their tid, and figures by campaign',
    async () => {
      await withPage(admin, `/partners/${partnerId}/installs`, async (page) => {
        const row = page.getByRole('row', { name: /won/ });
        await row.getByText('banner').waitFor();
      });
      await withPage(admin, `/partners/${partnerId}/overview`, async (page) => {
        const table = page.getByRole('table', { name: 'By campaign' });
        await table.getByText('100.00%').or(table.getByText('100%')).first().waitFor();
        const curve = page.getByRole('group', { name: 'Clicks: arrow keys choose a point' });
        await curve.locator('canvas').waitFor();
        await curve.focus();
        for (const key of ['End', 'Enter']) await page.keyboard.press(key);
        await page.waitForURL(/from=(\d{4}-\d\d-\d\d)&to=\1/);
      });
    },
    LIMIT,
  );

  test(
    'Escape closes the dialog above a drawer, and only then the drawer',
    () =>
      withPage(admin, `/partners/${partnerId}/postbacks`, async (page) => {
        await button(page, 'Add a postback').click();
        const drawer = page.getByRole('dialog', { name: 'New postback' });
        await drawer.getByRole('textbox', { name: 'URL' }).fill('https://127.0.0.1:1/?t={tid}');
        await drawer.getByRole('button', { name: /test/i }).click();
        const dialogs = page.getByRole('dialog');
        await eventually('the result lies above', async () => ((await dialogs.count()) === 2 ? true : undefined));
        await page.keyboard.press('Escape');
        await eventually('the dialog is closed', async () => ((await dialogs.count()) === 1 ? true : undefined));
        expect(await drawer.isVisible()).toBe(true);
        // An open list of choices is a layer, too.
        await drawer.getByRole('combobox').first().click();
        await page.getByRole('option', { name: 'Install', exact: true }).waitFor();
        await page.keyboard.press('Escape');
        await page.getByRole('option').first().waitFor({ state: 'hidden' });
        expect(await drawer.isVisible()).toBe(true);
        await page.keyboard.press('Control+k');
        await eventually('the palette lies above', async () => ((await dialogs.count()) === 2 ? true : undefined));
        await page.keyboard.press('Escape');
        await eventually('the palette is closed', async () => ((await dialogs.count()) === 1 ? true : undefined));
        await page.keyboard.press('Escape');
        // What was filled in would be lost.
        await button(page, 'Lose them').click();
        await drawer.waitFor({ state: 'hidden' });
      }),
    LIMIT,
  );
});
