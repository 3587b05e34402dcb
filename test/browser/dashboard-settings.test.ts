/// <reference lib="dom" />
/** Settings, keys, SQL and connections in a real Chromium, as an owner, an engineer and a viewer use them. */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { type Browser, type BrowserContext, type Page } from 'playwright-core';
import { readOperator, findPerson, type Browser as Session } from '../support/people/person';
import { decided } from '../support/attribution/attribution';
import { appEvent, collectApp } from '../support/collect/collect-client';
import { inBrowser, launch, openContext, violations } from '../support/chromium';
import { readPostgres } from '../support/postgres';
import { ownNames } from '../support/workspace/own-names';
import { idByName } from '../support/s2s/s2s-client';
import { sharedService } from '../support/shared-service';

interface Campaign {
  readonly name: string;
  readonly display_id: string;
  readonly partner: string | null;
}

const own = ownNames('settings');
const service = sharedService();

inBrowser('in Chromium', () => {
  let browser: Browser;
  let operator: Session;
  let owner: Session;
  let engineer: Session;
  let viewer: Session;
  let analyst: Session;
  let at: string;
  let bare: string;

  beforeAll(async () => {
    await service.apply(
      own.document({
        accounts: [{ name: 'Pages' }],
        partners: [{ name: 'Mobi Ads' }],
        projects: [
          {
            name: 'Pages Shop',
            account: 'Pages',
            timezone: 'UTC',
            server_keys: ['pages-key'],
            domains: [{ name: 'go.pages.example' }],
            apps: ['com.pages', 'com.pages.old'].map((app_id) => ({ platform: 'ANDROID', app_id })),
            store_listings: ['Play', 'Spare'].map((name) => ({ store_listing_id: name, name, platform: 'ANDROID' })),
            partner_switches: [{ partner: 'Mobi Ads', ctv_apps: ['com.pages'] }],
            campaigns: [{ display_id: 'pages1', name: 'One', store_listings: ['Play'] }],
          },
          { name: 'Second Shop', account: 'Pages', timezone: 'UTC' },
          { name: 'Bare Shop', account: 'Pages', timezone: 'UTC', website: 'https://bare.example' },
        ],
      }),
    );
    at = `/projects/${await idByName(service, 'projects', own('Pages Shop'))}`;
    bare = `/projects/${await idByName(service, 'projects', own('Bare Shop'))}`;
    operator = await readOperator(service, 'olga@settings.example');
    const { accounts } = (await service.admin('GET', '/accounts')).body as { accounts: { id: number; name: string }[] };
    const place = { account_id: accounts.find(({ name }) => name === own('Pages'))?.id as number };
    const person = (role: string) => findPerson(service, operator, role, place, `${role}@settings.example`);
    [owner, engineer, viewer] = [await person('owner'), await person('engineer'), await person('viewer')];
    analyst = await person('analyst');
    browser = await launch();
  }, 360_000);
  afterAll(() => browser?.close());

  async function openFor(session: Session, bypassCSP = false): Promise<BrowserContext> {
    const context = await openContext(browser, { bypassCSP, viewport: { width: 1280, height: 860 } });
    const [name, value] = session.cookie.split('=') as [string, string];
    await context.addCookies([{ name, value, url: service.url }]);
    return context;
  }

  async function withPage(session: Session, work: (page: Page) => Promise<void>): Promise<void> {
    const context = await openFor(session);
    const page = await context.newPage();
    const problems: string[] = [];
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy')) problems.push(message.text());
    });
    await work(page);
    await context.close();
    expect(problems).toEqual([]);
  }

  const open = (page: Page, name: string) => page.goto(`${service.url}${at}/${name}`);
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

  test('an owner lets analysts use the SQL console, which they then find, and nothing beside it', async () => {
    const links = (page: Page) => page.getByRole('navigation').getByRole('link').allInnerTexts();
    const readData = async () => {
      const found: string[] = [];
      await withPage(analyst, async (page) => {
        await open(page, 'overview');
        await page.getByRole('navigation').getByRole('link', { name: 'Campaigns' }).waitFor();
        found.push(...(await links(page)).filter((one) => ['SQL', 'Schema', 'Connections', 'Exports'].includes(one)));
      });
      return found;
    };
    expect(await readData()).toEqual([]);
    await withPage(owner, async (page) => {
      await open(page, 'members');
      const allowed = page.getByRole('switch', { name: 'Analysts may use the SQL console' });
      expect(await allowed.isChecked()).toBe(false);
      await page.locator('label').filter({ hasText: 'Analysts may use' }).click();
      await page.getByText('Analysts may use the SQL console now.').waitFor();
      expect(await allowed.isChecked()).toBe(true);
      expect(await violations(page)).toEqual([]);
    });
    expect(await readData()).toEqual(['Schema', 'SQL']);
    await withPage(analyst, async (page) => {
      await open(page, 'sql');
      await page.getByRole('textbox', { name: 'Statement' }).click();
      await page.keyboard.press('Control+A');
      await page.keyboard.insertText('SELECT 42 AS answer');
      await button(page, 'Run').click();
      await page.getByRole('cell', { name: '42' }).waitFor();
    });
  });

  test('domains say what was last found of them', async () => {
    const postgres = readPostgres(service);
    const found = (state: string | null, msg: string) =>
      postgres.rows(
        `INSERT INTO domain_checks (domain_id, claimed_at, checked_at, state, msg)
        SELECT id, now() + interval '1 day', '2026-03-04T05:06:00Z', $2, $3 FROM domains WHERE name = $1
        ON CONFLICT (domain_id) DO UPDATE SET claimed_at = EXCLUDED.claimed_at, checked_at = EXCLUDED.checked_at,
          state = $2, msg = $3`,
        [own('go.pages.example'), state, msg],
      );
    await withPage(owner, async (page) => {
      for (const [state, msg, badge] of [
        [null, '', 'Not looked at yet'],
        ['elsewhere', 'It leads elsewhere. Set CNAME.', 'Leads elsewhere'],
        ['no_certificate', 'Its certificate has expired.', 'No valid certificate'],
        ['unknown', 'DNS did not answer.', 'Cannot be seen'],
        ['works', 'It leads here.', 'Leads here over HTTPS'],
      ] as const) {
        await found(state, msg);
        await open(page, 'settings?section=domains');
        const row = page.getByRole('row').filter({ hasText: own('go.pages.example') });
        await row.getByText(badge, { exact: true }).waitFor();
        expect([state, await row.getByText(msg || 'within minutes').count()]).toEqual([
          state,
          state === 'works' ? 0 : 1,
        ]);
        expect([state, await row.locator('time').count()]).toEqual([state, state === null ? 0 : 1]);
        expect(await violations(page)).toEqual([]);
      }
    });
    await postgres.close();
  });

  test('an owner sees what there is of a person, takes it along, forgets them, and reads the receipt', async () => {
    const event = (type: string, more: object = {}) =>
      appEvent(type, { app_id: 'com.pages', install_id: 'of-ann', user: { id: 'ann-of-pages' }, ...more });
    const key = { 'service-key': own('pages-key') };
    expect(await collectApp(service, [event('install'), event('event', { name: 'level' })], key)).toMatchObject({
      accepted: 2,
    });
    await decided(service, ['of-ann']);
    await withPage(owner, async (page) => {
      await open(page, 'erasure');
      expect(await button(page, 'See what there is').isDisabled()).toBe(true);
      await page.getByRole('textbox', { name: 'Identifier' }).fill('nobody-of-pages');
      await button(page, 'See what there is').click();
      await page.getByText('Nothing is known of this person').waitFor();
      await page.getByRole('textbox', { name: 'Identifier' }).fill('ann-of-pages');
      await button(page, 'See what there is').click();
      await page.getByText('1 install, 2 app events').waitFor();
      expect(await violations(page)).toEqual([]);
      const file = page.waitForEvent('download');
      await button(page, 'Download their data').click();
      const lines = fs
        .readFileSync(await (await file).path(), 'utf8')
        .trim()
        .split('\n');
      const rows = lines.map((line) => JSON.parse(line) as { table: string; user_id?: string });
      expect(rows.filter(({ table }) => table === 'app_events').map(({ user_id }) => user_id)).toEqual([
        'ann-of-pages',
        'ann-of-pages',
      ]);
      await button(page, 'Forget this person').click();
      const dialog = page.getByRole('dialog', { name: 'Forget this person?' });
      await dialog.getByText('1 install, 2 app events').waitFor();
      await page.waitForFunction(() => document.getAnimations().every((one) => one.playState !== 'running'));
      expect(await violations(page)).toEqual([]);
      await button(page, 'Forget for good').click();
      await page.getByRole('row', { name: /User ID.*1 install, 2 app events.*(Hidden|Removed)/ }).waitFor({
        timeout: 90_000,
      });
      await open(page, 'audit-log?subject=erasure_requests');
      await page.getByText('erasure of a person').first().waitFor();
      expect(await page.getByText('ann-of-pages').count()).toBe(0);
      await open(page, 'audit-log?subject=person_exports');
      await page.getByRole('row', { name: /copy of a person's data/ }).waitFor();
    });
  }, 150_000);

  test('an owner is told of few installs, sees why, and schedules a board; a viewer reads', async () => {
    await withPage(owner, async (page) => {
      await open(page, 'alerts');
      await page.getByText('the installation has no SMTP server').waitFor();
      await button(page, 'New alert').first().click();
      const dialog = page.getByRole('dialog', { name: 'New alert' });
      await dialog.getByRole('textbox', { name: 'Name' }).fill('Few installs');
      await dialog.getByRole('combobox', { name: 'Tell me when' }).click();
      await page.getByRole('option', { name: 'a figure is above or below a value' }).click();
      await dialog.getByRole('textbox', { name: 'Value' }).fill('5');
      await dialog.getByText('It would have fired once in the last 30 days.').waitFor();
      expect(await violations(page)).toEqual([]);
      await button(page, 'Save').click();
      await page.getByRole('row', { name: /Few installs.*Firing.*Installs below 5.*owner@settings/ }).waitFor();
      expect(await violations(page)).toEqual([]);
      await page.getByRole('link', { name: 'Few installs' }).click();
      await page.getByText('0 (limit: below 5)').waitFor();
      // A service of another suite that has a mail server sends it.
      await page.getByText(/owner@settings\.example (on its way|sent)/).waitFor();
      await button(page, 'Judge now').click();
      await page.getByText('It would fire now.').waitFor();
      const judged = page.getByRole('group', { name: 'The figure by day: arrow keys choose a point' });
      await judged.focus();
      for (const key of ['End', 'Enter']) await page.keyboard.press(key);
      await page.waitForURL(/explore\?.*from=(\d{4}-\d\d-\d\d)&to=\1/);
      await page.goBack();
      const silent = { type: 'nothing_received', hours: 1, kind: 'click' };
      const ofProject = { 'project-id': at.replace(/.*\//, '') };
      const entry = { name: 'Silent', condition: silent, receivers: [] };
      const { body } = await owner.send('POST', '/api/v1/alerts', entry, ofProject);
      await open(page, `alerts/${(body as { alert: { id: number } }).alert.id}`);
      await page.getByText('Nothing was received in the last seven days.').waitFor();
      expect(await violations(page)).toEqual([]);
      await open(page, 'alerts?edit=new');
      const late = page.getByRole('dialog', { name: 'New alert' });
      await late.getByRole('textbox', { name: 'Name' }).fill('Late lake');
      await late.getByRole('combobox', { name: 'Tell me when' }).click();
      await page.getByRole('option', { name: 'a scheduled export fails or is behind' }).click();
      await late.getByRole('textbox', { name: 'For more than hours' }).fill('3');
      expect(await violations(page)).toEqual([]);
      await button(page, 'Save').click();
      await page.getByRole('row', { name: /Late lake.*Any export fails or is behind for 3 h/ }).waitFor();
      expect(await violations(page)).toEqual([]);
      const made = { name: 'Monday', items: [] };
      const projectId = at.replace(/.*\//, '');
      expect((await owner.send('POST', '/api/v1/boards', made, { 'project-id': projectId })).status).toBe(201);
      await open(page, 'schedules?edit=new');
      const form = page.getByRole('dialog', { name: 'New report' });
      await form.getByRole('textbox', { name: 'Name' }).fill('For the boss');
      await form.getByRole('combobox', { name: 'Board' }).click();
      await page.getByRole('option', { name: 'Monday' }).first().click();
      expect(await violations(page)).toEqual([]);
      await button(page, 'Save').click();
      await page.getByRole('row', { name: /For the boss.*Mondays at 08:00 \(UTC\).*Never/ }).waitFor();
    });
    await withPage(viewer, async (page) => {
      await open(page, 'alerts');
      await page.getByRole('link', { name: 'Few installs' }).click();
      await page.getByText('0 (limit: below 5)').waitFor();
      expect(await button(page, 'Edit').count()).toBe(0);
      await open(page, 'schedules');
      await page.getByRole('row', { name: /For the boss/ }).waitFor();
      expect(await button(page, 'New report').count()).toBe(0);
    });
  }, 120_000);

  test(
    'an owner changes the settings, makes a key that is shown once, and reads that in the audit log',
    () =>
      withPage(owner, async (page) => {
        await open(page, 'settings');
        await page.getByRole('textbox', { name: 'Website' }).fill('https://pages.example');
        await button(page, 'Save').click();
        await page.getByText('Saved. It holds from now on.').waitFor();
        await open(page, 'keys');
        await button(page, 'Create a key').click();
        const dialog = page.getByRole('dialog', { name: 'Create a key' });
        await dialog.getByRole('textbox', { name: 'Name' }).fill('CRM');
        // What is typed is not lost by a slip.
        await page.keyboard.press('Escape');
        await page.getByRole('dialog', { name: 'Lose your changes?' }).getByRole('button', { name: 'Cancel' }).click();
        await dialog.getByRole('button', { name: 'Create a key' }).click();
        await page.getByRole('row', { name: /CRM\s*server_key_/ }).waitFor();
        const key = (await page.getByText(/^server_key_.{32}$/).textContent()) ?? '';
        const campaigns = await service.request('/api/v1/campaigns', { headers: { 'service-key': key } });
        expect(campaigns.status).toBe(200);
        await page.reload();
        await page.getByRole('table', { name: 'Keys' }).waitFor();
        expect(await page.content()).not.toContain(key);
        await open(page, 'audit-log?subject=projects');
        await page.getByText('https://pages.example').waitFor();
        const saved = page.waitForEvent('download');
        await button(page, 'Download as CSV').click();
        expect((await saved).suggestedFilename()).toBe('Audit log.csv');
        await page.getByRole('combobox', { name: 'Project' }).last().click();
        await page.getByRole('option', { name: own('Second Shop') }).click();
        await page.getByText('https://pages.example').waitFor({ state: 'detached' });
      }),
    60_000,
  );

  test(
    'an owner sets a project up: what is shown to be pasted works as it is, step by step',
    () =>
      withPage(owner, async (page) => {
        await page.goto(`${service.url}${bare}/overview`);
        await page.getByRole('link', { name: 'Set up this project' }).click();
        const step = (name: string) => page.locator(`[data-step="${name}"]`);
        const isDone = (name: string) => step(name).and(page.locator('[data-done]')).waitFor();
        const openStep = async (name: string) => {
          const control = step(name).getByRole('button').first();
          if ((await control.getAttribute('aria-expanded')) !== 'true') await control.click();
        };
        const paste = async (name: string) =>
          execFileSync('bash', ['-c', await step(name).locator('pre').last().innerText()], {
            encoding: 'utf8',
            stdio: ['ignore', 'pipe', 'ignore'],
          });
        await step('app').getByRole('button', { name: 'Add an app' }).click();
        await page.getByRole('textbox', { name: 'App ID' }).fill(`com.${own('bare')}.shop`);
        await button(page, 'Save').click();
        await isDone('app');
        await openStep('event');
        await step('event').getByRole('button', { name: 'Make an app key and show the request' }).click();
        await step('event').locator('pre').waitFor();
        expect(JSON.parse(await paste('event'))).toEqual({ accepted: 1, rejected: [] });
        await isDone('event');
        await openStep('spend');
        await step('spend').getByRole('button', { name: 'Add an ad account', exact: true }).click();
        await page.getByRole('textbox', { name: 'Account ID' }).fill('act_1');
        await button(page, 'Save').click();
        await step('spend').getByRole('button', { name: 'Make a server key and show the request' }).click();
        await step('spend').locator('pre').waitFor();
        expect(JSON.parse(await paste('spend'))).toEqual({ accepted: 1, rejected: [] });
        await isDone('spend');
        // What an owner adds is not proven: an operator confirms it.
        await openStep('domain');
        await step('domain').getByRole('button', { name: 'Add a domain', exact: true }).click();
        await page.getByRole('textbox', { name: 'Domain' }).fill(`${own('bare')}.example`);
        await button(page, 'Save').click();
        await step('domain').getByText('Not proven yet: nothing is served').waitFor();
        const { domains } = (await service.admin('GET', `${bare}/domains`)).body as { domains: { id: number }[] };
        await service.admin('POST', `${bare}/domains/${domains[0]?.id}/confirm`);
        await isDone('domain');
        await page.reload();
        await openStep('click');
        await step('click').locator('pre').waitFor();
        await paste('click');
        await isDone('click');
        expect(await violations(page)).toEqual([]);
      }),
    120_000,
  );

  test(
    'an owner makes a project, and a campaign of a partner with the URL that the partner needs',
    () =>
      withPage(owner, async (page) => {
        await open(page, 'overview');
        await page.getByRole('combobox', { name: 'Project or partner' }).click();
        await page.getByRole('option', { name: '+ New project' }).click();
        await page.getByRole('textbox', { name: 'Name' }).fill(own('New Shop'));
        await page.getByRole('dialog').getByRole('button', { name: 'New project' }).click();
        await page.getByRole('heading', { level: 1, name: 'Set up' }).waitFor();
        // Its keys are known as long as the page is open.
        await page.locator('[data-step="key"]').getByRole('button').first().click();
        await page.getByText(/^server_key_.{32}$/).waitFor();
        await open(page, `partners/${await idByName(service, 'partners', own('Mobi Ads'))}`);
        await button(page, 'Add a campaign').click();
        await page.getByRole('textbox', { name: 'Name' }).fill('Launch');
        await page.getByRole('dialog').getByRole('button', { name: 'Add a campaign' }).click();
        const url = await page.getByText(/\/v1\/click\?app_id=com\.pages&c=[A-Za-z0-9]{10}&tid=\{/).innerText();
        const { campaigns } = (await service.admin('GET', `${at}/campaigns`)).body as { campaigns: Campaign[] };
        const made = campaigns.find(({ name }) => name === 'Launch');
        expect(made?.partner).toBe(own('Mobi Ads'));
        expect(url).toContain(`&c=${made?.display_id}&`);
      }),
    60_000,
  );

  test(
    'an operator sets rates by a form and a file, and sees what a document would change before it does',
    () =>
      withPage(operator, async (page) => {
        await page.goto(`${service.url}/installation/rates`);
        await page.getByRole('textbox', { name: 'US dollars for one' }).fill('1.08');
        await button(page, 'Set the rate').click();
        await page.getByText('The rate is set.').waitFor();
        const buffer = Buffer.from('Date,USD,XOF,\n2026-03-05,1.0800,600,\n');
        await page.locator('input[type=file]').setInputFiles({ name: 'ecb.csv', mimeType: 'text/csv', buffer });
        await page.getByText('ecb.csv is a file of the European Central Bank.').waitFor();
        await page.getByRole('button', { name: /^Store \d rates$/ }).click();
        await page.getByRole('row', { name: /XOF 0.0018/ }).waitFor();
        expect(await violations(page)).toEqual([]);
        await page.goto(`${service.url}/installation/workspace`);
        const partner = own('Shown First');
        await page.getByLabel('Document').fill(JSON.stringify({ partners: [{ name: partner }] }));
        await button(page, 'Show what would change').click();
        await page.getByRole('table', { name: 'What would change' }).getByText(partner).first().waitFor();
        const there = async () => JSON.stringify((await service.admin('GET', '/partners')).body).includes(partner);
        expect(await there()).toBe(false);
        expect(await violations(page)).toEqual([]);
        await button(page, 'Apply 2 changes').click();
        await page.getByText('Created: 2').waitFor();
        expect(await there()).toBe(true);
      }),
    60_000,
  );

  test(
    'an owner renames the project; what is wrong with a name is said at its field',
    () =>
      withPage(owner, async (page) => {
        await open(page, 'settings');
        const name = page.getByRole('textbox', { name: 'Name' });
        await name.fill(own('Second Shop'));
        await button(page, 'Save').click();
        await page.getByText(`"${own('Second Shop')}" is another project of the account`).waitFor();
        expect(await name.getAttribute('aria-invalid')).toBe('true');
        expect(await page.getByRole('alert').count()).toBe(0);
        await name.fill(' Pages Store ');
        await button(page, 'Save').click();
        await page.getByText('Saved. It holds from now on.').waitFor();
        await page.getByText('Pages Store', { exact: true }).first().waitFor();
        expect(await name.inputValue()).toBe('Pages Store');
      }),
    60_000,
  );

  test(
    'an owner deletes apps and store listings, and reads what still names the others',
    () =>
      withPage(owner, async (page) => {
        const remove = async (name: string) => {
          await button(page, `Delete ${name}`).click();
          await page
            .getByRole('dialog', { name: `Delete ${name}?` })
            .getByRole('button', { name: 'Delete' })
            .click();
        };
        for (const [section, used, message, unused] of [
          ['apps', 'com.pages', `Still in ctv_apps of partners: ${own('Mobi Ads')}.`, 'com.pages.old'],
          ['listings', 'Play', 'Still in store_listings of campaigns: pages1.', 'Spare'],
        ] as const) {
          await open(page, `settings?section=${section}`);
          await remove(used);
          await page.getByText(message).waitFor();
          await button(page, 'Cancel').click();
          await remove(unused);
          await page.getByRole('cell', { name: unused, exact: true }).first().waitFor({ state: 'detached' });
          expect(await page.getByRole('cell', { name: used, exact: true }).count()).toBeGreaterThan(0);
        }
      }),
    60_000,
  );

  test('an engineer runs a statement and gets a user of ClickHouse; a viewer has none of these pages', async () => {
    await withPage(engineer, async (page) => {
      await open(page, 'sql');
      await page.getByLabel('Statement').fill('SELECT 40 + 2 AS answer');
      await page.getByLabel('Statement').press('Control+Enter');
      await page.getByRole('cell', { name: '42' }).waitFor();
      await open(page, 'connect');
      await button(page, 'Create a user').click();
      await page.getByText(/^Password of reader_/).waitFor();
      const user = /reader_\d+_\w+/.exec(await page.getByText(/^Password of reader_/).innerText())?.[0] as string;
      const tools = page.getByRole('navigation', { name: 'Tool' });
      await tools.getByRole('button', { name: 'Power BI' }).click();
      const settings = page.getByRole('region', { name: 'Power BI' });
      for (const text of [user, 'analytics', '127.0.0.1']) await settings.getByText(text, { exact: true }).waitFor();
      await settings.getByRole('button', { name: 'Copy Server' }).waitFor();
      await page.getByRole('searchbox', { name: 'Find a tool or a driver' }).fill('notebook');
      await tools.getByRole('button', { name: 'polars' }).click();
      expect(await tools.getByRole('button').allInnerTexts()).toEqual(['pandas', 'polars']);
      await page.getByText(`auth=('${user}'`).waitFor();
      expect(await violations(page)).toEqual([]);
      await open(page, 'settings');
      await page.getByText('There is no such page').waitFor();
    });
    await withPage(viewer, async (page) => {
      for (const name of ['setup', 'settings', 'keys', 'audit-log', 'sql', 'connect', 'status', 'erasure', 'members']) {
        await open(page, name);
        await page.getByText('There is no such page').waitFor();
      }
    });
  }, 60_000);

  test('an engineer tries an export, makes it, turns it off and removes it', async () => {
    await withPage(engineer, async (page) => {
      await open(page, 'exports');
      await page.getByText('No exports yet').waitFor();
      await button(page, 'New export').first().click();
      const dialog = page.getByRole('dialog', { name: 'New export' });
      await dialog.getByLabel('Name').fill('Lake');
      await dialog.getByRole('textbox', { name: 'Bucket', exact: true }).fill('lake');
      await dialog.getByLabel('Endpoint').fill('https://storage.invalid');
      await dialog.getByLabel('Access key').fill('key-of-the-lake');
      await dialog.getByLabel('Secret key').fill('secret-of-the-lake');
      await dialog.getByRole('button', { name: 'Dry run' }).click();
      await dialog.getByText(/^The bucket does not answer/).waitFor();
      await dialog.getByText(/^Nothing is complete yet/).waitFor();
      expect(await violations(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Create the export' }).click();
      await page.getByText('Installs as Parquet, every day').waitFor();
      await page.getByText('s3://lake').waitFor();
      expect(await page.content()).not.toContain('secret-of-the-lake');
      await button(page, 'Back-fill Lake').click();
      await page.getByRole('textbox', { name: 'From', exact: true }).fill('2026-01-01');
      await page.getByRole('textbox', { name: 'To', exact: true }).fill('2026-01-03');
      await button(page, 'Write these days').click();
      await page.getByText('Back-fill Jan 1, 2026 to Jan 3, 2026: 0 of 3 written').waitFor();
      await open(page, 'status');
      await page.getByText('1 is on, 1 fails, 0 others are over an hour behind. The furthest is').waitFor();
      await page.getByRole('row', { name: /Lake.*Needs a look/ }).waitFor();
      await page.getByText('It works, and needs a look').waitFor();
      expect(await violations(page)).toEqual([]);
      await open(page, 'exports');
      await page.getByLabel('Lake is on').click({ force: true });
      await page.getByText('Off', { exact: true }).waitFor();
      expect(await violations(page)).toEqual([]);
      // As if it had written a day before.
      const postgres = readPostgres(service);
      await postgres.rows(
        `INSERT INTO export_periods (export_id, period, revision, state)
         SELECT id, '2026-01-01', 1, 'written' FROM scheduled_exports WHERE name = 'Lake' AND project_id = $1`,
        [at.replace(/.*\//, '')],
      );
      await postgres.close();
      await withPage(owner, async (page) => {
        await open(page, 'erasure');
        await page.getByText('These write nothing now: Lake (off).').waitFor();
        expect(await violations(page)).toEqual([]);
      });
      await button(page, 'Remove Lake').click();
      await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
      await page.getByText('No exports yet').waitFor();
    });
  }, 60_000);

  test('no page has a serious violation of accessibility', async () => {
    const context = await openFor(owner, true);
    const page = await context.newPage();
    const found: string[] = [];
    for (const name of ['settings', 'keys', 'erasure', 'audit-log', 'schema', 'sql', 'exports', 'connect', 'status']) {
      await open(page, name);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
      found.push(...(await violations(page)).map((one) => `${name}: ${one}`));
    }
    await context.close();
    expect(found).toEqual([]);
  }, 60_000);
});
