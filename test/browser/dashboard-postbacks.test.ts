/// <reference lib="dom" />
/** The pages of postbacks and webhooks in a real Chromium: as an owner, a partner's admin and a viewer use them. */
import type { Browser as Chromium, Page } from 'playwright-core';
import { MACROS } from '../../src/configuration/postbacks/macros';
import type { Postgres } from '../../src/db/postgres';
import { inBrowser, launch, openPage, violations } from '../support/chromium';
import { ownNames } from '../support/workspace/own-names';
import { readOperator, findPerson, type Browser } from '../support/people/person';
import { readPostgres } from '../support/postgres';
import { idByName } from '../support/s2s/s2s-client';
import { sharedService } from '../support/shared-service';

const own = ownNames('pages-postbacks');
const LIMIT = 60_000;
const HOOK = 'https://hooks.pages-postbacks.example/adtrail';
const SECRET = /^whsec_[A-Za-z0-9+/=]{32,}$/;

inBrowser('in Chromium', () => {
  const service = sharedService();
  let postgres: Postgres;
  let chromium: Chromium;
  let owner: Browser;
  let partnerAdmin: Browser;
  let partnerViewer: Browser;
  let viewer: Browser;
  let projectId: number;
  let partnerId: number;

  beforeAll(async () => {
    postgres = readPostgres(service);
    await service.apply(
      own.document({
        accounts: [{ name: 'Account' }],
        partners: [{ name: 'Network' }],
        projects: [{ name: 'Shop', account: 'Account', timezone: 'UTC' }],
      }),
    );
    projectId = await idByName(service, 'projects', own('Shop'));
    partnerId = await idByName(service, 'partners', own('Network'));
    const operator = await readOperator(service, own('operator@adtrail.example'));
    const { body } = await operator.send('GET', '/auth/v1/me');
    const { account_id } = (body.projects as { id: number; account_id: number }[]).find(
      ({ id }) => id === projectId,
    ) as { account_id: number };
    const person = (role: string, place: { account_id: number } | { partner_id: number }) =>
      findPerson(service, operator, role, place, own(`${role}@adtrail.example`));
    owner = await person('owner', { account_id });
    viewer = await person('viewer', { account_id });
    partnerAdmin = await person('partner_admin', { partner_id: partnerId });
    partnerViewer = await person('partner_viewer', { partner_id: partnerId });
    chromium = await launch();
  }, 360_000);
  afterAll(async () => {
    await chromium?.close();
    await postgres?.close();
  });

  async function withPage(who: Browser, path: string, work: (page: Page) => Promise<void>): Promise<void> {
    const { page, context, problems } = await openPage(chromium, service.url, who);
    await page.goto(`${service.url}${path}`);
    await work(page);
    await context.close();
    expect(problems).toEqual([]);
  }

  const ofProject = (who: Browser, work: (page: Page) => Promise<void>) =>
    withPage(who, `/projects/${projectId}/postbacks`, work);
  const ofPartner = (who: Browser, work: (page: Page) => Promise<void>) =>
    withPage(who, `/partners/${partnerId}/postbacks`, work);
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const insert = (page: Page, macro: string) =>
    page.getByRole('group', { name: 'Macros' }).getByText(`{${macro}}`, { exact: true }).click();
  const list = (page: Page, name: string) => page.getByRole('list', { name, exact: true });
  const stored = async (who: Browser, path: string, field: string) => {
    const { body, status } = await who.send('GET', `/admin/v1/${path}`);
    expect(status).toBe(200);
    return body[field] as Record<string, unknown>[];
  };
  const webhooks = () => stored(owner, `projects/${projectId}/webhooks`, 'webhooks');
  const overrides = () => stored(owner, `projects/${projectId}/postback_overrides`, 'postback_overrides');
  const postbacks = () => stored(partnerAdmin, `partners/${partnerId}/postbacks`, 'postbacks');

  test(
    'an owner creates a webhook, sees its secret once, and makes a new one',
    () =>
      ofProject(owner, async (page) => {
        await page.getByText('No webhook yet').waitFor();
        await page.getByText("from 'standardwebhooks'").waitFor();
        await button(page, 'Add a webhook').click();
        await page.getByRole('textbox', { name: 'URL' }).fill('https://user:word@hooks.example/');
        await page.getByText('Chosen', { exact: true }).click();
        await page.getByText('Choose at least one event.').waitFor();
        await page.getByRole('checkbox', { name: 'Install', exact: true }).check();
        await page.getByLabel('Events of the app').first().fill('purchase');
        await page.keyboard.press('Enter');
        expect(await violations(page)).toEqual([]);
        await button(page, 'Save').click();
        await page.getByText('must be an http or https URL without user and password').waitFor();
        await page.getByRole('textbox', { name: 'URL' }).fill(HOOK);
        await button(page, 'Save').click();
        const shown = page.getByRole('dialog', { name: 'The secret of your webhook' });
        const secret = (await shown.getByText(SECRET).textContent()) ?? '';
        await shown.getByRole('button', { name: 'Copy' }).click();
        expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret);
        await button(page, 'I have copied it').click();
        await list(page, 'Webhooks to your servers').getByText(HOOK).waitFor();
        expect(await page.content()).not.toContain(secret);
        expect(await webhooks()).toMatchObject([{ url: HOOK, events: ['install', 'event:purchase'], enabled: true }]);

        await button(page, `${'New secret'}: ${HOOK}`).click();
        await button(page, 'Make it').click();
        await shown.getByText(/^Until .+, 24 hours from now, both are valid/).waitFor();
        expect(await shown.getByText(SECRET).textContent()).not.toBe(secret);
        expect(await violations(page)).toEqual([]);
      }),
    LIMIT,
  );

  test(
    'a webhook that its receiver switched off says so, and is switched on again, changed and deleted',
    () =>
      ofProject(owner, async (page) => {
        await postgres.rows('UPDATE webhooks SET switched_off_at = now() WHERE project_id = $1', [projectId]);
        await page.reload();
        await page.getByText(/^Its receiver switched it off on /).waitFor();
        expect(await violations(page)).toEqual([]);
        await button(page, `${'Switch on'}: ${HOOK}`).click();
        await button(page, `${'Switch off'}: ${HOOK}`).click();
        await button(page, `${'Switch on'}: ${HOOK}`).waitFor();
        expect(await webhooks()).toMatchObject([{ enabled: false, switched_off_at: null }]);
        await button(page, `${'Edit'}: ${HOOK}`).click();
        await page.getByText('All', { exact: true }).click();
        await button(page, 'Save').click();
        await list(page, 'Webhooks to your servers').getByText('All events').waitFor();
        await button(page, `${'Delete'}: ${HOOK}`).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
        await page.getByText('No webhook yet').waitFor();
        expect(await webhooks()).toEqual([]);
      }),
    LIMIT,
  );

  test(
    'an owner withholds amounts, sends another request to one partner, and rejects suspicious installs',
    () =>
      ofProject(owner, async (page) => {
        await button(page, 'Add an exception').click();
        await page.getByRole('checkbox', { name: 'Amounts' }).check();
        await button(page, 'Save').click();
        const every = list(page, 'What partners are told').getByText(`Install · ${'Every partner'}`);
        await every.waitFor();
        await page.getByText('Without amounts').waitFor();

        await button(page, 'Add an exception').click();
        await page.getByText('There is one already. Edit that one instead.').waitFor();
        await page.getByRole('combobox', { name: 'Partner', exact: true }).click();
        await page.getByRole('option', { name: own('Network') }).click();
        await page.getByText('There is one already. Edit that one instead.').waitFor({ state: 'detached' });
        await page.getByText('Another request', { exact: true }).click();
        await page.getByRole('textbox', { name: 'URL' }).fill('https://other.example/?c={campaign}');
        await page.getByText('url: there is no macro {campaign}').waitFor();
        await page.getByRole('textbox', { name: 'URL' }).fill('https://other.example/?c={campaign_name}');
        await page.getByText('GET https://other.example/?c=Launch%20%26%20more').waitFor();
        expect(await violations(page)).toEqual([]);
        await button(page, 'Save').click();
        await list(page, 'What partners are told').getByText('https://other.example/?c={campaign_name}').waitFor();
        expect(await overrides()).toMatchObject([
          { event: 'install', partner: null, url: null, withhold: ['amounts'], enabled: true },
          { event: 'install', partner_id: partnerId, method: 'GET', withhold: [], enabled: true },
        ]);

        const name = `Install · ${own('Network')}`;
        await button(page, `${'Edit'}: ${name}`).click();
        await page.getByText('Nothing', { exact: true }).click();
        await button(page, 'Save').click();
        await list(page, 'What partners are told').getByText('The partner is told nothing of this event.').waitFor();
        expect((await overrides())[1]).toMatchObject({ url: expect.any(String) as string, enabled: false });
        await button(page, `${'Delete'}: ${name}`).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
        await page.getByText(name).waitFor({ state: 'detached' });

        const isSaved = page.waitForResponse((answer) => answer.request().method() === 'PUT');
        await page.getByRole('switch', { name: 'Suspicious installs are told as rejected' }).click();
        expect((await isSaved).status()).toBe(200);
        const projects = await stored(owner, 'projects', 'projects');
        expect(projects.find(({ id }) => id === projectId)).toMatchObject({ reject_suspicious: true });
      }),
    LIMIT,
  );

  test(
    'an admin of a partner clicks macros into a postback, sees what it becomes, and is told what is wrong',
    () =>
      ofPartner(partnerAdmin, async (page) => {
        await page.getByText('No postback yet').waitFor();
        await button(page, 'Add a postback').click();
        await page.getByRole('combobox', { name: 'Event' }).click();
        await page.getByRole('option', { name: 'An event of the app' }).click();
        await button(page, 'Save').click();
        await page.getByText('Say which event.').waitFor();
        await page.getByRole('textbox', { name: 'Name of the event' }).fill('purchase');

        const offered = await page.getByRole('group', { name: 'Macros' }).getByRole('button').allInnerTexts();
        expect(offered.map((one) => /\{(\w+)\}/.exec(one)?.[1]).sort()).toEqual([...MACROS].sort());

        const url = page.getByRole('textbox', { name: 'URL' });
        await url.fill('https://partner.example/pb?click=&x=1');
        await url.press('End');
        for (let at = 0; at < '&x=1'.length; at++) await url.press('ArrowLeft');
        await insert(page, 'tid');
        expect(await url.inputValue()).toBe('https://partner.example/pb?click={tid}&x=1');
        await page.keyboard.type('-{s2}');
        expect(await url.inputValue()).toBe('https://partner.example/pb?click={tid}-{s2}&x=1');

        await page.getByText('POST', { exact: true }).click();
        await button(page, 'Add a header').click();
        await page.getByRole('textbox', { name: 'Name of header 1' }).fill('Cookie');
        await page.getByRole('textbox', { name: 'Value of header 1' }).fill('id-');
        await insert(page, 'postback_id');
        const body = page.getByRole('textbox', { name: 'Body' });
        await body.fill('{"sum": , "name": "{campaign_name}"}');
        await body.evaluate((field: HTMLTextAreaElement) => field.setSelectionRange(8, 8));
        await insert(page, 'amount');
        expect(await body.inputValue()).toBe('{"sum": {amount}, "name": "{campaign_name}"}');
        await button(page, 'Save').click();
        await page.getByText(/^"Cookie" is none of Authorization/).waitFor();
        await page.getByRole('textbox', { name: 'Name of header 1' }).fill('X-Id');

        const preview = page.getByRole('region', { name: 'Preview' });
        await preview.getByText('POST https://partner.example/pb?click=click-1-sub-2&x=1').waitFor();
        await preview.getByText('{"sum": 499.5, "name": "Launch & more"}').waitFor();
        await preview.getByText(/^X-Id: id-9f0c1b6f/m).waitFor();
        expect(await violations(page)).toEqual([]);
        await button(page, 'Save').click();
        await list(page, 'Templates').getByText('Event purchase').waitFor();
        expect(await postbacks()).toMatchObject([
          {
            event: 'event:purchase',
            method: 'POST',
            url: 'https://partner.example/pb?click={tid}-{s2}&x=1',
            headers: { 'X-Id': 'id-{postback_id}' },
            body: '{"sum": {amount}, "name": "{campaign_name}"}',
            enabled: true,
          },
        ]);
      }),
    LIMIT,
  );

  test('a viewer of the partner sees its postbacks without buttons; one of the account has no such page', async () => {
    await ofPartner(partnerViewer, async (page) => {
      await list(page, 'Templates').getByText('Event purchase').waitFor();
      await page.getByText('Headers: X-Id').waitFor();
      expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
      expect(await violations(page)).toEqual([]);
    });
    await ofProject(viewer, (page) => page.getByText('There is no such page').waitFor());
  }, 60_000);

  test(
    'a postback that its receiver switched off is switched on again, and deleted',
    () =>
      ofPartner(partnerAdmin, async (page) => {
        await postgres.rows('UPDATE postback_templates SET switched_off_at = now() WHERE partner_id = $1', [partnerId]);
        await page.reload();
        await page.getByText(/^Its receiver switched it off on /).waitFor();
        await button(page, `${'Switch on'}: Event purchase`).click();
        await button(page, `${'Switch off'}: Event purchase`).waitFor();
        expect(await postbacks()).toMatchObject([{ enabled: true, switched_off_at: null }]);
        await button(page, `${'Delete'}: Event purchase`).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
        await page.getByText('No postback yet').waitFor();
        expect(await postbacks()).toEqual([]);
      }),
    LIMIT,
  );

  test(
    'a secret is used by its name, is shown by no page and no answer, and stays while a postback needs it',
    () =>
      ofPartner(partnerAdmin, async (page) => {
        const value = 'sesame-of-the-receiver';
        const expectHidden = async () => {
          expect(await page.content()).not.toContain(value);
          expect(
            await page.locator('input').evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value)),
          ).not.toContain(value);
        };
        await button(page, 'Add a secret').click();
        await page.getByRole('textbox', { name: 'Name' }).fill('api_key');
        await page.getByLabel('Value').fill(value);
        expect(await page.getByLabel('Value').getAttribute('type')).toBe('password');
        expect(await violations(page)).toEqual([]);
        await button(page, 'Save').click();
        await list(page, 'Secrets').getByText('{secret:api_key}').waitFor();
        await expectHidden();
        const { body, status } = await partnerAdmin.send('GET', `/admin/v1/partners/${partnerId}/postback_secrets`);
        expect([status, JSON.stringify(body)]).toEqual([200, expect.stringContaining('api_key')]);
        expect(JSON.stringify(body)).not.toContain(value);

        await button(page, 'Add a postback').click();
        await page
          .getByRole('textbox', { name: 'URL' })
          .fill('https://partner.example/pb?key={secret:api_key}&t={tid}');
        await page.getByRole('region', { name: 'Preview' }).getByText('?key=***&t=click-1').waitFor();
        await button(page, 'Save').click();
        await list(page, 'Templates').getByText('{secret:api_key}').waitFor();
        await page.reload();
        await button(page, `${'Replace'}: api_key`).click();
        expect(await page.getByLabel('Value').inputValue()).toBe('');
        await expectHidden();
        await page.keyboard.press('Escape');

        const remove = async (name: string) => {
          await button(page, `${'Delete'}: ${name}`).click();
          await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
        };
        await remove('api_key');
        await page.getByRole('dialog').getByText('The template of install uses it.').waitFor();
        await page.keyboard.press('Escape');
        await remove('Install');
        await page.getByText('No postback yet').waitFor();
        await remove('api_key');
        await page.getByText('No secrets yet').waitFor();
      }),
    LIMIT,
  );
});
