/**
 * The dashboard from the first link on, in a real Chromium on real engines: what an operator, an owner, a partner and
 * each role do with it, and what each must not.
 */
import type { Browser as Chromium, Page } from 'playwright-core';
import { texts } from '../../src/dashboard/texts';
import { engineers } from '../../src/dashboard/texts/engineers';
import { installs } from '../../src/dashboard/texts/installs';
import { keys } from '../../src/dashboard/texts/keys';
import { links } from '../../src/dashboard/texts/links';
import { partner } from '../../src/dashboard/texts/partner';
import { partners } from '../../src/dashboard/texts/partners';
import { spend } from '../../src/dashboard/texts/spend';
import { members } from '../../src/dashboard/texts/members';
import { inBrowser, launch, openPage, violations, type Watched } from '../support/chromium';
import { appEvent, collectApp } from '../support/collect-client';
import { ANDROID, openLink } from '../support/links';
import { browserOf, operatorOf, PASSWORD, personOf, type Browser } from '../support/person';
import { postgresOf } from '../support/postgres';
import { ADMIN_TOKEN, eventually, startService, type RunningService } from '../support/service';

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
    const { welcome, signIn } = texts.people;
    await heading(page, welcome.first);
    await page.getByLabel(signIn.email).fill('first@journey.example');
    await page.getByLabel(welcome.name).fill('Fay First');
    for (const input of await page.locator('input[type=password]').all()) await input.fill(PASSWORD);
    expect(await violations(page)).toEqual([]);
    await button(page, welcome.submit).click();
    await page.waitForURL((url) => url.pathname !== '/welcome');
    await page.goto(`${service.url}/profile`);
    await heading(page, texts.people.profile.title);
    await page.getByText('first@journey.example').first().waitFor();
    // The link has had its day.
    const again = await open(new URL(link).pathname + new URL(link).hash);
    await heading(again, welcome.gone);
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
    operator = await operatorOf(service);
  });

  test('an owner invites a colleague, who comes in by the link and sees what the role allows', async () => {
    const owner = await personOf(service, operator, 'owner', { account_id: 1 });
    const page = await open('/projects/1/members', owner);
    await button(page, members.invite).click();
    const dialog = page.getByRole('dialog', { name: members.inviteTitle });
    await dialog.getByLabel(members.email).fill('vic@journey.example');
    await dialog.getByRole('radio', { name: new RegExp(`^${texts.people.roles.viewer}`) }).check();
    expect(await violations(page)).toEqual([]);
    await dialog.getByRole('button', { name: members.send, exact: true }).click();
    const link = await page
      .getByText(/\/welcome#link_/)
      .first()
      .innerText();
    const guest = await open(link.slice(link.indexOf('/welcome')).trim());
    await heading(guest, texts.people.welcome.invitation('Acme'));
    await guest.getByLabel(texts.people.welcome.name).fill('Vic Viewer');
    for (const input of await guest.locator('input[type=password]').all()) await input.fill(PASSWORD);
    await button(guest, texts.people.welcome.submit).click();
    await guest.getByRole('link', { name: texts.overview.title }).waitFor();
    expect(await guest.getByRole('link', { name: keys.title, exact: true }).count()).toBe(0);
  });

  test.each([
    ['viewer', ['overview', 'campaigns', 'retention', 'web', 'links', 'partners']],
    ['analyst', ['overview', 'campaigns', 'retention', 'web', 'installs', 'links', 'spend', 'partners']],
    ['engineer', ['overview', 'campaigns', 'retention', 'web', 'installs', 'links', 'partners', 'schema', 'sql']],
    ['admin', ['overview', 'installs', 'spend', 'settings', 'keys', 'erasure', 'members', 'sql', 'status']],
  ])('%s finds its pages, and no others', async (role, expected) => {
    const person = await personOf(service, operator, role, { account_id: 1 });
    const page = await open('/projects/1/overview', person);
    await heading(page, texts.overview.title);
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
    await heading(page, texts.errors.notFoundTitle);
    await page.goto(`${service.url}/projects/2/overview`);
    await heading(page, texts.errors.notFoundTitle);
    expect(await violations(page)).toEqual([]);
  });

  test('a link is created and opened, its install arrives while one looks, and is explained', async () => {
    const analyst = await personOf(service, operator, 'analyst', { account_id: 1 }, 'ana@journey.example');
    const page = await open('/projects/1/links', analyst);
    await page.getByRole('link', { name: links.create }).or(button(page, links.create)).first().click();
    const form = page.getByRole('dialog');
    await form
      .getByRole('textbox', { name: new RegExp(`^${links.form.fields.name.label}`) })
      .fill('Poster in the station');
    await button(page, links.form.submit).click();
    await page.getByText(links.createdNote('Poster in the station')).waitFor();
    const rows = await service.request('/api/v1/campaigns?limit=100', { headers: { 'service-key': SERVER_KEY } });
    const { campaigns } = ((await rows.json()) as { data: { campaigns: { display_id: string; name: string }[] } }).data;
    const made = campaigns.find(({ name }) => name === 'Poster in the station');
    const headers = { 'User-Agent': ANDROID, 'X-Forwarded-For': ADDRESS };
    const click = await openLink(service, `/${made?.display_id}`, { host: DOMAIN, headers });
    expect(click.status).toBe(302);

    await page.goto(`${service.url}/projects/1/installs`);
    await heading(page, installs.title);
    const event = appEvent('install', { install_id: 'seen-arriving', gaid: GAID, ip: ADDRESS, ua: ANDROID });
    await collectApp(service, [event], { 'service-key': SERVER_KEY });
    const row = page.getByRole('row').filter({ hasText: 'Poster in the station' });
    await button(page, installs.fresh(1)).or(row).first().waitFor();
    if (await button(page, installs.fresh(1)).count()) await button(page, installs.fresh(1)).click();
    await row.first().waitFor();
    expect(await violations(page)).toEqual([]);
    await page.goto(`${service.url}/projects/1/installs/seen-arriving`);
    await page.getByText('Poster in the station').first().waitFor();
    await page
      .getByText(installs.rules.ip_click as string)
      .first()
      .waitFor();
    expect(await violations(page)).toEqual([]);
  });

  test('spend is uploaded from a file, and refused rows say why', async () => {
    const analyst = await personOf(service, operator, 'analyst', { account_id: 1 }, 'sue@journey.example');
    const page = await open('/projects/1/spend?tab=upload', analyst);
    const file = 'date,campaign_id,spend,currency\n2026-03-05,mobi,12.50,USD\n2026-03-05,unknown,1,USD\nx,mobi,1,USD\n';
    await heading(page, spend.title);
    if ((await page.locator('input[type=file]').count()) === 0)
      await page.getByText(spend.upload, { exact: true }).first().click();
    const chosen = { name: 'spend.csv', mimeType: 'text/csv', buffer: Buffer.from(file) };
    await page.locator('input[type=file]').setInputFiles(chosen);
    await page.getByText(spend.good('1'), { exact: true }).waitFor();
    await page.getByText(spend.bad('2'), { exact: true }).waitFor();
    await page.getByRole('table', { name: spend.refusedRows }).getByText('date', { exact: true }).waitFor();
    expect(await violations(page)).toEqual([]);
    await button(page, spend.send('1', true)).click();
    await page.getByText(spend.done('1', true)).first().waitFor();
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
    const person = await personOf(service, operator, 'partner_admin', { partner_id: 1 });
    const page = await open('/partners/1/test-bench', person);
    const { bench, credentials } = partner;
    await heading(page, bench.title);
    await page.getByText(bench.modes.url, { exact: true }).click();
    await page.getByLabel(bench.url).fill(`${service.url}/v1/click/com.acme.shop?c=mobi&tid=try-1&gaid=nonsense`);
    await button(page, bench.run).click();
    await page
      .getByText(/invalid_device_id|invalid/i)
      .first()
      .waitFor();
    expect(await violations(page)).toEqual([]);
    expect(await service.rows("SELECT click_id FROM analytics.clicks WHERE tid = 'try-1'")).toEqual([]);

    await page.goto(`${service.url}/partners/1/credentials`);
    await heading(page, credentials.title);
    expect(await click('before')).toBe(200);
    await button(page, credentials.rotate).click();
    await button(page, credentials.rotateAction).click();
    const token = await page.getByText(/^partner_token_/).innerText();
    await button(page, credentials.done).click();
    expect([await click('new', token.trim()), await click('old')]).toEqual([200, 200]);
    await page.getByText(credentials.states.former).waitFor();
    const postgres = postgresOf(service);
    await postgres.rows('UPDATE partner_tokens SET valid_until = now() WHERE valid_until IS NOT NULL');
    await postgres.rows('UPDATE configuration SET revision = revision + 1');
    await postgres.rows("SELECT pg_notify('adtrail_configuration', '')");
    await postgres.close();
    await eventually('the old token is refused', async () => ((await click('late')) === 401 ? true : undefined));
    // Nothing of the advertiser's own is the partner's to see.
    await page.goto(`${service.url}/projects/1/overview`);
    await heading(page, texts.errors.notFoundTitle);
    const forbidden = await person.send('GET', '/api/v1/campaigns', undefined, { 'project-id': '1' });
    expect(forbidden.status).toBe(404);
  });

  test('a partner that is switched off has its clicks refused', async () => {
    const admin = await personOf(service, operator, 'admin', { account_id: 1 }, 'adam@journey.example');
    const page = await open('/projects/1/partners/1', admin);
    const { switches } = partners;
    const toggle = page.getByRole('switch', { name: switches.s2s_clicks });
    await toggle.waitFor();
    expect(await toggle.isChecked()).toBe(true);
    expect(await violations(page)).toEqual([]);
    await toggle.press('Space');
    await button(page, texts.save).click();
    await page.getByText(switches.saved('Mobi Ads')).waitFor();
    const { body } = await operator.send('POST', '/admin/v1/partners/1/tokens');
    await eventually('clicks are refused', async () =>
      (await click('switched-off', body.token as string)) === 403 ? true : undefined,
    );
  });

  test('an engineer runs SQL over the own project, and copies a link to the view', async () => {
    const engineer = await personOf(service, operator, 'engineer', { account_id: 1 }, 'eve@journey.example');
    const page = await open('/projects/1/sql', engineer);
    const { sql } = engineers;
    await page.getByLabel(sql.editor).fill('SELECT tid, campaign_name FROM clicks ORDER BY tid LIMIT 3');
    await button(page, sql.run).click();
    await page.getByRole('cell', { name: 'Mobi launch' }).first().waitFor();
    await page.getByLabel(sql.editor).fill('SELECT * FROM system.users');
    await button(page, sql.run).click();
    await page.getByText(sql.failed).first().waitFor();
    expect(await violations(page)).toEqual([]);
  });

  test('signing out everywhere ends every session, and pages lead to the sign-in page and back', async () => {
    const person = await personOf(service, operator, 'viewer', { account_id: 1 }, 'out@journey.example');
    const elsewhere = browserOf(service);
    await elsewhere.send('POST', '/auth/v1/sign-in', { email: 'out@journey.example', password: PASSWORD });
    const page = await open('/profile', person);
    const { profile, signIn } = texts.people;
    expect(await violations(page)).toEqual([]);
    await button(page, profile.everywhere).click();
    await heading(page, signIn.title);
    expect((await elsewhere.send('GET', '/auth/v1/me')).status).toBe(401);
    await page.goto(`${service.url}/projects/1/overview`);
    await heading(page, signIn.title);
    expect(await violations(page)).toEqual([]);
    await page.getByLabel(signIn.email).fill('out@journey.example');
    await page.locator('input[type=password]').fill(PASSWORD);
    await button(page, signIn.submit).click();
    await heading(page, texts.overview.title);
  });
});
