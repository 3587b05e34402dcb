/// <reference lib="dom" />
/**
 * The dashboard from the first link on, in a real Chromium on real engines: what an operator, an owner, a partner and
 * each role do with it, and what each must not.
 */
import type { Browser as Chromium, Page } from 'playwright-core';
import { inBrowser, launch, openPage, RULES_OF_COLOUR, violations, type Watched } from '../support/chromium';
import { appEvent, collectApp } from '../support/collect/collect-client';
import { ANDROID, openLink } from '../support/links/links';
import { ownNames } from '../support/workspace/own-names';
import { readBrowser, readOperator, PASSWORD, findPerson, type Browser } from '../support/people/person';
import { readPostgres } from '../support/postgres';
import { startReceiver, type Receiver } from '../support/deliveries/receiver';
import { idByName } from '../support/s2s/s2s-client';
import { ADMIN_TOKEN, eventually, startService, type RunningService } from '../support/service';
import { workspace } from '../support/workspace/workspace';

const own = ownNames('messages');

const TOKEN = 'partner-token-of-the-journey';
const SERVER_KEY = 'server-key-of-the-journey';
const DOMAIN = 'go.journey.example';
const GAID = '38400000-8cf0-11bd-b23e-10b96e40000d';
const ADDRESS = '8.8.4.4';

inBrowser('the dashboard', () => {
  let service: RunningService;
  let chromium: Chromium;
  let operator: Browser;
  const opened: Watched[] = [];

  const open = async (path: string, who?: Browser): Promise<Page> => {
    const watched = await openPage(chromium, service.url, who);
    opened.push(watched);
    await watched.page.goto(`${service.url}${path}`);
    return watched.page;
  };
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

  beforeAll(async () => {
    service = await startService({
      // Messages go to a receiver on this machine.
      OUTBOX_ALLOW_PRIVATE: '127.0.0.1/32',
      OUTBOX_RETRIES: '1',
      LIMIT_IP: 'off',
      LIMIT_QUERY: 'off',
      LIMIT_DATA: 'off',
      LIMIT_SIGN_IN: 'off',
      TRUST_PROXY: '1',
    });
    chromium = await launch();
  });
  afterAll(async () => {
    await chromium.close();
    await service.dispose();
  });

  afterEach(async () => {
    const problems = opened.flatMap((watched) => watched.problems);
    await Promise.all(opened.splice(0).map(({ context }) => context.close()));
    // No script failed, the policy refused nothing, and no other host was asked.
    expect(problems).toEqual([]);
  });

  test('the printed link lets the first person in, who names a password', async () => {
    const made = await service.request('/auth/v1/first-link', {
      method: 'POST',
      headers: { Authorization: `Bearer ${ADMIN_TOKEN}` },
    });
    const { link } = (await made.json()) as { link: string };
    const page = await open(new URL(link).pathname + new URL(link).hash);
    await heading(page, 'Welcome to adtrail');
    await page.getByLabel('E-mail').fill('first@journey.example');
    await page.getByLabel('Name').fill('Fay First');
    for (const input of await page.locator('input[type=password]').all()) await input.fill(PASSWORD);
    expect(await violations(page)).toEqual([]);
    await button(page, 'Go on').click();
    await page.waitForURL((url) => url.pathname !== '/welcome');
    await page.goto(`${service.url}/profile`);
    await heading(page, 'Profile');
    await page.getByText('first@journey.example').first().waitFor();
    // The link has had its day.
    const again = await open(new URL(link).pathname + new URL(link).hash);
    await heading(again, 'This link is not valid');
  });

  test('an account, a partner and a project are there', async () => {
    await service.apply({
      accounts: [{ name: 'Acme' }, { name: 'Beta' }],
      partners: [{ name: 'Mobi Ads', tokens: [TOKEN] }],
      projects: [
        {
          name: 'Acme Shop',
          account: 'Acme',
          timezone: 'UTC',
          currency: 'USD',
          website: 'https://acme.example',
          web_campaigns: true,
          server_keys: [SERVER_KEY],
          apps: [{ platform: 'ANDROID', app_id: 'com.acme.shop' }],
          domains: [{ name: DOMAIN, primary: true }],
          partner_switches: [{ partner: 'Mobi Ads', s2s_clicks: true, s2s_traffic: true }],
          campaigns: [{ display_id: 'mobi', name: 'Mobi launch', partner: 'Mobi Ads' }],
        },
        { name: 'Beta Shop', account: 'Beta', timezone: 'UTC' },
      ],
    });
    operator = await readOperator(service);
  });

  test('of an account without members an operator sees who gets in all the same', async () => {
    const page = await open('/projects/2/members', operator);
    await page.getByText('No members of its own yet').waitFor();
    const operators = page.getByRole('table', { name: 'Operators' });
    await operators.getByText('olga@adtrail.example', { exact: true }).waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByRole('link', { name: 'Manage operators' }).click();
    await page.waitForURL(/\/installation\/members/);
    await page.getByRole('table', { name: 'Members' }).getByText('olga@adtrail.example', { exact: true }).waitFor();
    // They are the members there: nobody is listed twice.
    expect(await page.getByRole('table', { name: 'Operators' }).count()).toBe(0);
  });

  test('an owner invites a colleague, who comes in by the link and sees what the role allows', async () => {
    const owner = await findPerson(service, operator, 'owner', { account_id: 1 });
    const page = await open('/projects/1/members', owner);
    await button(page, 'Invite').click();
    const dialog = page.getByRole('dialog', { name: 'Invite a member' });
    await dialog.getByLabel('E-mail').fill('vic@journey.example');
    await dialog.getByRole('radio', { name: new RegExp(`^${'Viewer'}`) }).check();
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
    const link = await page
      .getByText(/\/welcome#link_/)
      .first()
      .innerText();
    const guest = await open(link.slice(link.indexOf('/welcome')).trim());
    await heading(guest, 'Join Acme');
    await guest.getByLabel('Name').fill('Vic Viewer');
    for (const input of await guest.locator('input[type=password]').all()) await input.fill(PASSWORD);
    await button(guest, 'Go on').click();
    await guest.getByRole('link', { name: 'Overview' }).waitFor();
    expect(await guest.getByRole('link', { name: 'Keys', exact: true }).count()).toBe(0);
  });

  test.each([
    ['viewer', ['overview', 'campaigns', 'retention', 'web', 'links', 'partners']],
    ['analyst', ['overview', 'campaigns', 'retention', 'web', 'installs', 'links', 'spend', 'partners']],
    ['engineer', ['overview', 'campaigns', 'retention', 'web', 'installs', 'links', 'partners', 'schema', 'sql']],
    ['admin', ['overview', 'installs', 'spend', 'settings', 'keys', 'erasure', 'members', 'sql', 'status']],
  ])('%s finds its pages, and no others', async (role, expected) => {
    const person = await findPerson(service, operator, role, { account_id: 1 });
    const page = await open('/projects/1/overview', person);
    await heading(page, 'Overview');
    const found = await page
      .locator('nav a[href^="/projects/1/"]')
      .evaluateAll((all) => all.map((one) => (one.getAttribute('href') as string).split('/')[3]?.split('?')[0]));
    const all = [
      'overview',
      'campaigns',
      'retention',
      'web',
      'installs',
      'links',
      'spend',
      'partners',
      'schema',
      'sql',
    ];
    const guarded = [...all, 'connect', 'status', 'settings', 'keys', 'erasure', 'members', 'audit-log'];
    expect(found).toEqual(expect.arrayContaining(expected));
    const hidden = guarded.filter((name) => !found.includes(name));
    expect(hidden).toContain('audit-log');
    // By its address a hidden page is not there either.
    await page.goto(`${service.url}/projects/1/${hidden[0]}`);
    await heading(page, 'There is no such page');
    await page.goto(`${service.url}/projects/2/overview`);
    await heading(page, 'There is no such page');
    expect(await violations(page)).toEqual([]);
  });

  test('a link is created and opened, its install arrives while one looks, and is explained', async () => {
    const analyst = await findPerson(service, operator, 'analyst', { account_id: 1 }, 'ana@journey.example');
    const page = await open('/projects/1/links', analyst);
    await page.getByRole('link', { name: 'New link' }).or(button(page, 'New link')).first().click();
    const form = page.getByRole('dialog');
    await form.getByRole('textbox', { name: new RegExp(`^${'Name'}`) }).fill('Poster in the station');
    await button(page, 'Create the link').click();
    // Nobody can see whether the domain leads here: nothing claims that the link works.
    await page.getByText(/^Poster in the station is created\. (?!Its link works)/).waitFor();
    const rows = await service.request('/api/v1/campaigns?limit=100', { headers: { 'service-key': SERVER_KEY } });
    const { campaigns } = ((await rows.json()) as { data: { campaigns: { display_id: string; name: string }[] } }).data;
    const made = campaigns.find(({ name }) => name === 'Poster in the station');
    const headers = { 'User-Agent': ANDROID, 'X-Forwarded-For': ADDRESS };
    const click = await openLink(service, `/${made?.display_id}`, { host: DOMAIN, headers });
    expect(click.status).toBe(302);

    await page.goto(`${service.url}/projects/1/installs`);
    await heading(page, 'Installs');
    const event = appEvent('install', { install_id: 'seen-arriving', gaid: GAID, ip: ADDRESS, ua: ANDROID });
    await collectApp(service, [event], { 'service-key': SERVER_KEY });
    const row = page.getByRole('row').filter({ hasText: 'Poster in the station' });
    await button(page, '1 new install: show').or(row).first().waitFor();
    if (await button(page, '1 new install: show').count()) await button(page, '1 new install: show').click();
    await row.first().waitFor();
    expect(await violations(page)).toEqual([]);
    await page.goto(`${service.url}/projects/1/installs/seen-arriving`);
    await page.getByText('Poster in the station').first().waitFor();
    await page.getByText('Click, same address').first().waitFor();
    expect(await violations(page)).toEqual([]);
  });

  test('spend is uploaded from a file, and refused rows say why', async () => {
    const analyst = await findPerson(service, operator, 'analyst', { account_id: 1 }, 'sue@journey.example');
    const page = await open('/projects/1/spend?tab=upload', analyst);
    const file = 'date,campaign_id,spend,currency\n2026-03-05,mobi,12.50,USD\n2026-03-05,unknown,1,USD\nx,mobi,1,USD\n';
    await heading(page, 'Spend');
    if ((await page.locator('input[type=file]').count()) === 0)
      await page.getByText('Upload', { exact: true }).first().click();
    const chosen = { name: 'spend.csv', mimeType: 'text/csv', buffer: Buffer.from(file) };
    await page.locator('input[type=file]').setInputFiles(chosen);
    await page.getByText('1 good', { exact: true }).waitFor();
    await page.getByText('2 refused', { exact: true }).waitFor();
    await page.getByRole('table', { name: 'Refused rows' }).getByText('date', { exact: true }).waitFor();
    expect(await violations(page)).toEqual([]);
    await button(page, 'Upload 1 good row').click();
    await page.getByText('1 row is stored').first().waitFor();
    const [stored] = await service.rows<{ spend: string }>(
      'SELECT toString(sum(spend)) AS spend FROM analytics.ad_spend',
    );
    expect(Number(stored?.spend)).toBe(12.5);
  });

  const click = (tid: string, token = TOKEN) =>
    service
      .request(`/v1/click/com.acme.shop?c=mobi&tid=${tid}&gaid=${GAID}`, { headers: { 'X-Service-Token': token } })
      .then((response) => response.status);

  test('a partner tries a request, makes a new token, and the old one ends', async () => {
    const person = await findPerson(service, operator, 'partner_admin', { partner_id: 1 });
    const page = await open('/partners/1/test-bench', person);
    await heading(page, 'Test bench');
    await page.getByText('Paste a URL', { exact: true }).click();
    await page
      .getByLabel('URL of the request')
      .fill(`${service.url}/v1/click/com.acme.shop?c=mobi&tid=try-1&gaid=nonsense`);
    await button(page, 'Test').click();
    await page
      .getByText(/invalid_device_id|invalid/i)
      .first()
      .waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await service.rows("SELECT click_id FROM analytics.clicks WHERE tid = 'try-1'")).toEqual([]);

    await page.goto(`${service.url}/partners/1/credentials`);
    await heading(page, 'Credentials');
    expect(await click('before')).toBe(200);
    await button(page, 'New token').click();
    await button(page, 'Make it').click();
    const token = await page.getByText(/^partner_token_/).innerText();
    await button(page, 'I have copied it').click();
    expect([await click('new', token.trim()), await click('old')]).toEqual([200, 200]);
    await page.getByText('Former, still works').waitFor();
    const postgres = readPostgres(service);
    await postgres.rows('UPDATE partner_tokens SET valid_until = now() WHERE valid_until IS NOT NULL');
    await postgres.rows('UPDATE configuration SET revision = revision + 1');
    await postgres.rows("SELECT pg_notify('adtrail_configuration', '')");
    await postgres.close();
    await eventually('the old token is refused', async () => ((await click('late')) === 401 ? true : undefined));
    // Nothing of the advertiser's own is the partner's to see.
    await page.goto(`${service.url}/projects/1/overview`);
    await heading(page, 'There is no such page');
    const forbidden = await person.send('GET', '/api/v1/campaigns', undefined, { 'project-id': '1' });
    expect(forbidden.status).toBe(404);
  });

  test('a partner that is switched off has its clicks refused', async () => {
    const admin = await findPerson(service, operator, 'admin', { account_id: 1 }, 'adam@journey.example');
    const page = await open('/projects/1/partners/1', admin);
    const toggle = page.getByRole('switch', { name: 'Take its clicks' });
    await toggle.waitFor();
    expect(await toggle.isChecked()).toBe(true);
    expect(await violations(page)).toEqual([]);
    await toggle.press('Space');
    await button(page, 'Save').click();
    await page.getByText('The switches of Mobi Ads are saved.').waitFor();
    const { body } = await operator.send('POST', '/admin/v1/partners/1/tokens');
    await eventually('clicks are refused', async () =>
      (await click('switched-off', body.token as string)) === 403 ? true : undefined,
    );
  });

  test('an engineer runs SQL over the own project, and copies a link to the view', async () => {
    const engineer = await findPerson(service, operator, 'engineer', { account_id: 1 }, 'eve@journey.example');
    const page = await open('/projects/1/sql', engineer);
    await page.getByLabel('Statement').fill('SELECT tid, campaign_name FROM clicks ORDER BY tid LIMIT 3');
    await button(page, 'Run').click();
    await page.getByRole('cell', { name: 'Mobi launch' }).first().waitFor();
    await page.getByLabel('Statement').fill('SELECT * FROM system.users');
    await button(page, 'Run').click();
    await page.getByText('ClickHouse says').first().waitFor();
    expect(await violations(page)).toEqual([]);
  });

  test('signing out everywhere ends every session, and pages lead to the sign-in page and back', async () => {
    const person = await findPerson(service, operator, 'viewer', { account_id: 1 }, 'out@journey.example');
    const elsewhere = readBrowser(service);
    await elsewhere.send('POST', '/auth/v1/sign-in', { email: 'out@journey.example', password: PASSWORD });
    const page = await open('/profile', person);
    await heading(page, 'Profile');
    expect(await violations(page)).toEqual([]);
    await button(page, 'Sign out everywhere').click();
    await heading(page, 'Sign in');
    expect((await elsewhere.send('GET', '/auth/v1/me')).status).toBe(401);
    await page.goto(`${service.url}/projects/1/overview`);
    await heading(page, 'Sign in');
    expect(await violations(page)).toEqual([]);
    await page.getByLabel('E-mail').fill('out@journey.example');
    await page.locator('input[type=password]').fill(PASSWORD);
    await button(page, 'Sign in').click();
    await heading(page, 'Overview');
  });

  // The log of postbacks and webhooks as a page: what was not delivered is found, opened and sent again.
  describe('messages', () => {
    const KEY = own('server-key');
    const INSTALL = 'install-of-messages';
    const LIMIT = 90_000;
    let receiver: Receiver;
    let admin: Watched;
    let analyst: Watched;
    let address: string;

    beforeAll(async () => {
      receiver = await startReceiver();
      receiver.answer('/hook', 404);
      receiver.answer('/away', 'hang');
      const document = own.document(workspace);
      await service.apply({
        ...document,
        projects: document.projects.map((project) =>
          project.name === own('Acme Shop')
            ? {
                ...project,
                server_keys: [KEY],
                webhooks: [
                  { url: `${receiver.url}/hook`, events: ['install'] },
                  { url: `${receiver.url}/away`, events: ['signup'] },
                ],
              }
            : project,
        ),
      });
      const id = await idByName(service, 'projects', own('Acme Shop'));
      address = `${service.url}/projects/${id}/messages`;
      const { accounts } = (await service.admin('GET', '/accounts')).body as {
        accounts: { id: number; name: string }[];
      };
      const account = { account_id: accounts.find(({ name }) => name === own('Acme'))?.id as number };
      const person = (role: string) => findPerson(service, operator, role, account, own(`${role}@adtrail.example`));
      const send = (type: string) =>
        collectApp(service, [appEvent(type, { install_id: INSTALL })], { 'service-key': KEY });
      expect((await send('install')).accepted).toBe(1);
      await eventually('the install is told', async () => {
        const log = await service.admin('GET', `/projects/${id}/postbacks/log?outcome=dead`);
        return (log.body.attempts as unknown[]).length > 0 ? true : undefined;
      });
      admin = await openPage(chromium, service.url, await person('admin'));
      analyst = await openPage(chromium, service.url, await person('analyst'));
      expect((await send('signup')).accepted).toBe(1);
    }, 360_000);
    afterAll(async () => {
      await Promise.all([admin, analyst].map((watched) => watched?.context.close()));
      await receiver?.close();
    });

    const expectAccessible = async ({ page, problems }: Watched) => {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
        await page.waitForFunction(() => document.getAnimations().every((one) => one.playState !== 'running'));
        expect(await violations(page, colorScheme === 'dark' ? RULES_OF_COLOUR : undefined)).toEqual([]);
      }
      expect(problems).toEqual([]);
    };

    test(
      'what waits stands above, by host, and goes when nothing waits',
      async () => {
        const { page } = admin;
        await receiver.waitFor('/away');
        await page.goto(address);
        await page.getByRole('list', { name: 'Waiting to be sent' }).getByText(`127.0.0.1:${receiver.port}`).waitFor();
        // It hangs for ten seconds, and is asked once more after a second: later attempts would be its last ones.
        receiver.answer('/away', 200);
        await expectAccessible(admin);
        await page.getByRole('list', { name: 'Waiting to be sent' }).waitFor({ state: 'detached', timeout: 60_000 });
      },
      LIMIT,
    );

    test(
      'a message that was given up is found, opened and sent again',
      async () => {
        const { page } = admin;
        await page.goto(address);
        await page.getByRole('combobox', { name: 'Outcome' }).click();
        await page.getByRole('option', { name: 'Given up' }).click();
        await page.waitForURL(/outcome=dead/);
        await page.getByRole('textbox', { name: 'ID', exact: true }).fill(INSTALL);
        await page.waitForURL(/search=/);
        const table = page.getByRole('table', { name: 'Messages sent' });
        const row = table.getByRole('row').filter({ hasText: 'Given up' });
        await row.getByText('404', { exact: true }).waitFor();
        await row.getByText('Webhook').waitFor();
        await expectAccessible(admin);
        await row.getByRole('button').click();
        const dialog = page.getByRole('dialog', { name: 'Install · Webhook' });
        await dialog.getByText(`${receiver.url}/hook`).waitFor();
        await dialog.getByText(`"install_id":"${INSTALL}"`).waitFor();
        await expectAccessible(admin);
        receiver.answer('/hook', 200);
        await dialog.getByRole('button', { name: 'Send again' }).click();
        await page.getByText('It is sent again').waitFor();
        const [first, second] = await receiver.waitFor('/hook', 2);
        expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
        await page.getByRole('button', { name: 'Clear filters' }).click();
        await table.getByRole('row').filter({ hasText: 'Sent again' }).getByText('Delivered').waitFor();
      },
      LIMIT,
    );

    test(
      'messages are found by where they went, by kind and by day',
      async () => {
        const { page } = admin;
        const table = page.getByRole('table', { name: 'Messages sent' });
        const rows = table.getByRole('row').filter({ hasText: 'Webhook' });
        await page.goto(`${address}?by=destination&search=127.0.0.1:${receiver.port}`);
        await rows.first().waitFor();
        await page.getByRole('combobox', { name: 'Kind' }).click();
        await page.getByRole('option', { name: 'Postbacks', exact: true }).click();
        await page.getByText('No message is like that').waitFor();
        await page.getByRole('combobox', { name: 'Kind' }).click();
        await page.getByRole('option', { name: 'Webhooks', exact: true }).click();
        await rows.first().waitFor();
        await page.getByLabel('Up to this day, in UTC').fill('2020-01-02');
        await page.getByText('No message is like that').waitFor();
        await page.getByLabel('From this day on, in UTC').fill('2020-01-03');
        await page.getByText('It must not be before the first day.').waitFor();
        await expectAccessible(admin);
        await page.getByRole('button', { name: 'Clear filters' }).click();
        await rows.first().waitFor();
        expect(new URL(page.url()).search).not.toContain('2020');
      },
      LIMIT,
    );

    test(
      'a webhook is tried out with one click, and the answer is shown',
      async () => {
        const { page } = admin;
        await page.goto(address.replace('/messages', '/postbacks'));
        const before = receiver.at('/hook').length;
        await page.getByRole('button', { name: `Send a test: ${receiver.url}/hook` }).click();
        const dialog = page.getByRole('dialog', { name: 'The test' });
        await dialog.getByText(/^Answered 200 after \d+ ms$/).waitFor();
        await dialog.getByText(`POST ${receiver.url}/hook`).waitFor();
        await expectAccessible(admin);
        expect(receiver.at('/hook')[before]?.headers['x-adtrail-test']).toBe('true');
        await dialog.getByRole('button', { name: 'Close' }).click();
        receiver.answer('/hook', 500);
        await page.getByRole('button', { name: `Send a test: ${receiver.url}/hook` }).click();
        await dialog.getByText(/^Answered 500 after/).waitFor();
        await dialog.getByRole('button', { name: 'Close' }).click();
        receiver.answer('/hook', 200);
        // An exception's request is tried out before it is saved.
        await page.getByRole('button', { name: 'Add an exception' }).click();
        await page.getByText('Another request', { exact: true }).click();
        expect(await page.getByRole('button', { name: 'Send a test: install' }).isDisabled()).toBe(true);
        await page.getByRole('textbox', { name: 'URL' }).fill(`${receiver.url}/tried?i={install_id}`);
        await page.getByLabel('With the values of an install').fill(INSTALL);
        await page.getByRole('region', { name: 'Preview' }).getByText(`/tried?i=${INSTALL}`).waitFor();
        expect(receiver.at('/tried')).toEqual([]);
        await page.getByRole('button', { name: 'Send a test: install' }).click();
        await dialog.getByText(/^Answered 200 after/).waitFor();
        expect((await receiver.waitFor('/tried'))[0]?.url).toContain(`i=${INSTALL}`);
        await expectAccessible(admin);
      },
      LIMIT,
    );

    test(
      'a day is counted first, and sent once that is confirmed',
      async () => {
        const { page } = admin;
        await page.goto(address);
        await page.getByRole('button', { name: 'Send again a day' }).click();
        const dialog = page.getByRole('dialog', { name: 'Send again a day' });
        await dialog.getByRole('button', { name: 'Count them' }).click();
        await dialog.getByText('Would send 0 messages').waitFor();
        await dialog.getByRole('combobox', { name: 'Messages' }).click();
        await page.getByRole('option', { name: 'That were delivered' }).click();
        await dialog.getByRole('button', { name: 'Count them' }).click();
        await dialog.getByText('Would send 2 messages').waitFor();
        await expectAccessible(admin);
        const before = receiver.at('/hook').length;
        await dialog.getByRole('button', { name: 'Send 2 messages' }).click();
        await page.getByText('2 messages sent again.').waitFor();
        await receiver.waitFor('/hook', before + 1);
      },
      LIMIT,
    );

    test(
      'who may only look is offered nothing to send, and a message’s ID has to be one',
      async () => {
        const { page } = analyst;
        await page.setViewportSize({ width: 390, height: 844 });
        await page.goto(`${address}?by=message&search=abc`);
        await page.getByText('A message has an ID of 36 characters').waitFor();
        await page.getByText('No message is like that').waitFor();
        await page.getByRole('button', { name: 'Clear filters' }).click();
        await page.getByRole('row').filter({ hasText: 'Given up' }).getByRole('button').click();
        await page.getByRole('dialog').getByText(`${receiver.url}/hook`).waitFor();
        expect(await page.getByRole('button', { name: /^Send again/ }).count()).toBe(0);
        const { scrollWidth } = await page.evaluate(() => ({ scrollWidth: document.documentElement.scrollWidth }));
        expect(scrollWidth).toBeLessThanOrEqual(391);
        await expectAccessible(analyst);
      },
      LIMIT,
    );
  });
});
