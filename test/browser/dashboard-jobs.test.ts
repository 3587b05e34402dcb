/// <reference lib="dom" />
/**
 * What people come for, in Chromium: each job begins on the overview, goes on by what is visible, and its answer is
 * that of the API.
 */
import crypto from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type Browser, type Page } from 'playwright-core';
import { decided } from '../support/attribution/attribution';
import { caughtUp } from '../support/caught-up';
import { appEvent, collectApp, type Json } from '../support/collect/collect-client';
import { inBrowser, launch, openPage } from '../support/chromium';
import { startReceiver, type Receiver } from '../support/deliveries/receiver';
import { findPerson, readOperator, type Browser as Person } from '../support/people/person';
import { postEvents, putSpend } from '../support/reports/app-report';
import { ask } from '../support/reports/query';
import { idByName } from '../support/s2s/s2s-client';
import { eventually } from '../support/service';
import { sharedService } from '../support/shared-service';
import { ownNames } from '../support/workspace/own-names';

const service = sharedService();
const own = ownNames('jobs');
const KEY = own('key');
const APP = 'com.jobs.shop';
const ZONE = 'Europe/Berlin';
/** What browsers take for today: the figures are of fixed days. */
const TODAY = '2025-07-20T10:00:00Z';
const GAID = crypto.randomUUID();
const GERMANY = '217.80.10.1';
const FRANCE = '90.0.0.1';

const buildInstall = (install: string, day: string, more: Json = {}): Json => ({
  event_id: `install-${install}`,
  type: 'install',
  install_id: install,
  app_id: APP,
  time: `${day}T09:00:00Z`,
  ...more,
});
const buildPayment = (install: string, day: string, amount: number): Json => ({
  ...buildInstall(install, day),
  event_id: `payment-${install}-${day}`,
  type: 'payment',
  amount,
  currency: 'EUR',
});

/** By campaign: where its two installs of June 2 are from, and what each pays on which day of June. */
const CAMPAIGNS = {
  quick: { name: 'Quick', ip: GERMANY, paid: { '04': 15 } },
  middle: { name: 'Middle', ip: GERMANY, paid: { '12': 15 } },
  late: { name: 'Late', ip: FRANCE, paid: { '22': 15 } },
  never: { name: 'Never', ip: FRANCE, paid: { '03': 2.5 } },
  'tt-summer': { name: 'TikTok summer', ip: FRANCE, paid: { '05': 6, '14': 6 } },
} as const;
type DisplayId = keyof typeof CAMPAIGNS;

/** So that the months that are compared are months of the project. */
const FIRST = buildInstall('first', '2025-04-30');
const june = Object.entries(CAMPAIGNS).flatMap(([id, { ip, paid }]) =>
  [1, 2].flatMap((at) => [
    buildInstall(`${id}-${at}`, '2025-06-02', { ip, attribution: { campaign_display_id: id, touch_type: 'click' } }),
    ...Object.entries(paid).map(([day, amount]) => buildPayment(`${id}-${at}`, `2025-06-${day}`, amount)),
  ]),
);
/** After the day by which its campaign is asked about. */
const LATE_PAYMENT = buildPayment('tt-summer-1', '2025-07-12', 100);
/** Installs of July, the last one of the day that is not over. */
const JULY = ['2025-07-02', '2025-07-02', '2025-07-03', '2025-07-04', '2025-07-20'];
const july = JULY.map((day, i) => buildInstall(`july-${i}`, day));

type Written = [text: string, place: number][];
/** Charts are drawn: what is written on them is kept with its place, from 0 at the left to 1 at the right. */
function keepWritten(): void {
  const written: Written = [];
  Object.assign(window, { written });
  const canvas = CanvasRenderingContext2D.prototype;
  const fillText = Reflect.get(canvas, 'fillText') as (...given: unknown[]) => void;
  canvas.fillText = function (this: CanvasRenderingContext2D, text: string, x: number, ...more: number[]) {
    const { a, e } = this.getTransform();
    written.push([text, (a * x + e) / this.canvas.width]);
    fillText.call(this, text, x, ...more);
  };
}

inBrowser('in Chromium', () => {
  let account: { account_id: number };
  let projectId: number;
  let partnerId: number;
  let browser: Browser;
  let operator: Person;
  let owner: Person;
  let admin: Person;
  let receiver: Receiver;

  const click = async (params: Record<string, string>, status = 200) => {
    const query = new URLSearchParams({ app_id: APP, c: 'spring', ...params });
    const headers = { 'X-Service-Token': own('token') };
    expect((await service.request(`/v1/click?${query.toString()}`, { headers })).status).toBe(status);
  };

  beforeAll(async () => {
    receiver = await startReceiver();
    await service.apply(
      own.document({
        accounts: [{ name: 'Acme' }],
        partners: [
          {
            name: 'Network',
            tokens: ['token'],
            postbacks: [{ event: 'install', method: 'GET', url: `${receiver.url}/told?tid={tid}` }],
          },
        ],
        projects: [
          {
            name: 'Shop',
            account: 'Acme',
            timezone: ZONE,
            currency: 'EUR',
            server_keys: ['key'],
            apps: [{ platform: 'ANDROID', app_id: APP }],
            domains: [{ name: 'go.jobs.example', primary: true }],
            network_accounts: [{ network: 'TIKTOK', external_customer_id: 'tt' }],
            partner_switches: [{ partner: 'Network', s2s_clicks: true, s2s_traffic: true }],
            campaigns: [
              ...Object.entries(CAMPAIGNS).map(([display_id, { name }]) => ({
                display_id,
                name,
                ...(display_id === 'tt-summer' && { network: 'TIKTOK', network_campaign_id: '770' }),
              })),
              { display_id: 'spring', name: 'Spring', partner: 'Network' },
            ],
          },
        ],
      }),
    );
    projectId = await idByName(service, 'projects', own('Shop'));
    partnerId = await idByName(service, 'partners', own('Network'));
    await postEvents(service, KEY, [FIRST, ...june, LATE_PAYMENT, ...july]);
    await putSpend(
      service,
      KEY,
      (Object.keys(CAMPAIGNS) as DisplayId[]).map((campaign_id) => ({
        campaign_id,
        date: '2025-06-02',
        spend: '20',
        currency: 'EUR',
      })),
    );
    operator = await readOperator(service, own('operator@adtrail.example'));
    const { body: me } = await operator.send('GET', '/auth/v1/me');
    const projects = me.projects as { id: number; account_id: number }[];
    account = { account_id: projects.find(({ id }) => id === projectId)?.account_id as number };
    await click({ tid: 'won', gaid: GAID });
    await click({ tid: 'waits', gaid: crypto.randomUUID() });
    await click({ tid: 'wrong', gaid: 'no-device' }, 400);
    const install = appEvent('install', { install_id: 'jobs-won', app_id: APP, gaid: GAID });
    expect((await collectApp(service, [install], { 'service-key': KEY })).accepted).toBe(1);
    await caughtUp(service);
    await decided(service, ['jobs-won']);
    await eventually('the refused click is among the samples', async () => {
      const { body } = await service.admin('GET', `/partners/${partnerId}/refused-requests`);
      return (body.requests as object[]).length > 0 ? true : undefined;
    });
    admin = await findPerson(
      service,
      operator,
      'partner_admin',
      { partner_id: partnerId },
      own('admin@adtrail.example'),
    );
    browser = await launch();
  }, 360_000);
  afterAll(async () => {
    await browser?.close();
    await receiver?.close();
  });

  let page: Page;
  let problems: string[];
  const begin = async (who: Person, place: string) => {
    ({ page, problems } = await openPage(browser, service.url, who));
    await page.addInitScript(keepWritten);
    await page.clock.setFixedTime(TODAY);
    await page.goto(`${service.url}/${place}/overview`);
    await heading('Overview');
  };
  let owners = 0;
  /** Each test has an owner of its own: nobody may ask more than so many questions a minute. */
  const beginInProject = async () => {
    owners += 1;
    owner = await findPerson(service, operator, 'owner', account, own(`owner-${owners}@adtrail.example`));
    await begin(owner, `projects/${projectId}`);
  };
  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
    expect(problems).toEqual([]);
  });
  const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const goTo = (name: string) => page.getByRole('navigation').getByRole('link', { name, exact: true }).click();
  const choosePeriod = async (before: string, name: string) => {
    await button(new RegExp(`^${before}`)).click();
    await page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
    await button(new RegExp(`^${name}`)).waitFor();
  };
  const choose = async (field: string, option: string | RegExp) => {
    await page.getByRole('combobox', { name: field, exact: true }).click();
    await page.getByRole('option', { name: option }).click();
  };
  const findRow = (table: string, name: string) =>
    page.getByRole('table', { name: table, exact: true }).getByRole('row').filter({ hasText: name }).first();
  /** Waits until a row has these figures, by the heads of their columns; what stands below a figure is left out. */
  async function expectFigures(table: string, row: string, expected: Readonly<Record<string, string>>): Promise<void> {
    const heads = page.getByRole('table', { name: table, exact: true }).getByRole('columnheader');
    const read = async () => {
      const names = (await heads.allInnerTexts()).map((one) => one.trim());
      const cells = (await findRow(table, row).getByRole('cell').allInnerTexts()).map((one) => one.trim());
      return Object.fromEntries(
        Object.keys(expected).map((name) => [name, cells[names.indexOf(name)]?.split('\n')[0] ?? 'missing']),
      );
    };
    await findRow(table, row).waitFor();
    await eventually(`${row} has its figures`, async () =>
      isDeepStrictEqual(await read(), expected) ? true : undefined,
    ).catch(async () => expect(await read()).toEqual(expected));
  }

  /** What charts have written at the left, at the right and between. */
  async function readWritten() {
    const written = await page.evaluate(() => (window as unknown as { written: Written }).written);
    const pick = (from: number, to: number) => written.flatMap(([text, x]) => (x >= from && x < to ? [text] : []));
    return { left: pick(0, 0.1), middle: pick(0.1, 0.9), right: pick(0.9, 2) };
  }

  const JUNE = { source: 'app', from: '2025-06-01', to: '2025-06-30' };
  const money = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'EUR' });
  const ratio = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const share = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 0 });
  /** The figures of each value of a dimension, by the API. */
  async function readFigures(dimension: string, metrics: readonly string[], range: object = JUNE) {
    const { results } = await ask(service, KEY, { ...range, metrics, dimensions: [dimension] });
    return new Map(results.map((row) => [row.dimensions[0] ?? '', row.metrics]));
  }

  const askProject = async <T>(path: string): Promise<T> =>
    (await owner.send('GET', `/api/v1/${path}`, undefined, { 'project-id': String(projectId) })).body as T;

  test('which campaign should I stop? By day 7, 14 and 30', async () => {
    await beginInProject();
    await choosePeriod('Last 28 days', 'Last month');
    await goTo('Campaigns');
    const judged = await readFigures('campaign', ['roas_d7', 'roas_d14', 'roas_d30']);
    const verdict = page.locator('section', { hasText: 'Which campaign should I stop?' });
    for (const [at, day, words] of [
      [2, 30, 'One campaign has not reached the target by day 30.'],
      [0, 7, '4 campaigns have not reached the target by day 7.'],
      [1, 14, '2 campaigns have not reached the target by day 14.'],
    ] as const) {
      // It begins with the longest that the period allows.
      if (day !== 30) {
        await page.getByRole('combobox', { name: 'Day of the verdict' }).click();
        await page.getByRole('option', { name: `D${day}`, exact: true }).click();
        await page.waitForURL(new RegExp(`horizon=(%22)?${day}\\b`));
      }
      await verdict.getByText(words).waitFor();
      for (const [id, { name }] of Object.entries(CAMPAIGNS))
        await expectFigures('Campaigns and their figures', name, {
          [`ROAS D${day}`]: ratio.format(judged.get(id)?.[at] as number),
        });
      await verdict
        .getByRole('listitem')
        .filter({ hasText: 'Never' })
        .getByText(`paid back ${share.format(judged.get('never')?.[at] as number)}`)
        .waitFor();
    }
  });

  test('Germany or France?', async () => {
    await beginInProject();
    await choosePeriod('Last 28 days', 'Last month');
    const top = page.locator('section', { hasText: 'Top countries' });
    await top.getByRole('row', { name: /^France/ }).waitFor();
    await top.getByRole('link', { name: 'View all' }).click();
    await heading('Explore');
    const figures = await readFigures('country', ['installs', 'revenue', 'arpu']);
    expect([...figures.keys()].sort()).toEqual(['DE', 'FR']);
    for (const [code, name] of [
      ['DE', 'Germany'],
      ['FR', 'France'],
    ] as const) {
      const [installs, revenue, arpu] = figures.get(code) as number[];
      await expectFigures('Table', name, {
        Installs: String(installs),
        Revenue: money.format(revenue as number),
        ARPU: money.format(arpu as number),
      });
    }
  });

  test('this month against last month', async () => {
    await beginInProject();
    await choosePeriod('Last 28 days', 'This month');
    await button(/^This month Jul 1 – 20 vs Jun 1 – 20$/).waitFor();
    const installs = page.getByRole('group', { name: 'Overview' }).getByRole('button', { name: /^Installs/ });
    const question = { source: 'app', metrics: ['installs'], compare: { from: '2025-06-01', to: '2025-06-19' } };
    const answer = await ask(service, KEY, { ...question, from: '2025-07-01', to: '2025-07-19' });
    const [now, before] = [answer.results[0]?.metrics[0] as number, answer.results[0]?.comparison?.[0] as number];
    expect([now, before]).toEqual([JULY.length - 1, 10]);
    const change = installs.getByText(`↓ ${share.format(1 - now / before)}`);
    await change.hover();
    await page
      .getByRole('tooltip')
      .getByText(/^vs Jun 1 – \d+: 10\. Without today, which is not over/)
      .waitFor();
    await installs.getByText(String(JULY.length), { exact: true }).waitFor();
  });

  test('what did the users of TikTok pay by day 30?', async () => {
    await beginInProject();
    await choosePeriod('Last 28 days', 'Last month');
    // Campaigns without a network are no organic ones.
    const [installs, spend] = (await readFigures('channel', ['installs', 'spend'])).get('') as number[];
    await expectFigures('Top channels', 'No channel', {
      Installs: String(installs),
      Spend: money.format(spend as number),
    });
    await page.getByRole('table', { name: 'Top channels' }).getByRole('link', { name: 'TikTok' }).click();
    await heading('TikTok');
    const [ltv, roas] = (await readFigures('channel', ['ltv_d30', 'roas_d30'])).get('tiktok') as number[];
    expect(ltv).toBe(12);
    await page.getByText(`By day 30 they had paid back ${share.format(roas as number)} of their cost`).waitFor();
    const payback = page.getByRole('figure', { name: 'Payback' });
    await payback.getByRole('button', { name: /table/i }).click();
    await payback
      .getByRole('row', { name: /^Day 30/ })
      .getByText(money.format(ltv as number))
      .waitFor();
  });

  test('send my boss this every Monday', async () => {
    await beginInProject();
    await goTo('Boards');
    await button('New board').first().click();
    await page.getByRole('textbox', { name: 'What is it called?' }).fill('For the boss');
    await page.getByRole('dialog').getByRole('button', { name: 'New board' }).click();
    await heading('For the boss');
    await page.getByRole('link', { name: 'Schedule', exact: true }).click();
    const form = page.getByRole('dialog', { name: 'New report' });
    await form.getByRole('textbox', { name: 'Name' }).fill('Monday mail');
    await form.getByRole('textbox', { name: 'E-mail of receiver 1' }).fill('boss@jobs.example');
    await form.getByRole('button', { name: 'Save' }).click();
    const row = findRow('Scheduled reports', 'Monday mail');
    await row.getByText(`Mondays at 08:00 (${ZONE})`).waitFor();
    await row.getByText('boss@jobs.example').waitFor();
    const { schedules } = await askProject<{ schedules: { name: string; board: string; next_at: string }[] }>(
      'schedules',
    );
    const kept = schedules.find(({ name }) => name === 'Monday mail');
    expect(kept).toMatchObject({ board: 'For the boss', receivers: [{ kind: 'email', to: 'boss@jobs.example' }] });
    const due = new Date(kept?.next_at as string);
    const inZone = new Intl.DateTimeFormat('en-US', {
      timeZone: ZONE,
      weekday: 'long',
      hour: '2-digit',
      hourCycle: 'h23',
    });
    expect(inZone.format(due)).toMatch(/^Monday.*08/);
    const shown = new Intl.DateTimeFormat('en-US', { timeZone: ZONE, dateStyle: 'medium', timeStyle: 'short' });
    expect(await row.locator('time').first().innerText()).toBe(shown.format(due));
  });

  test('tell me when a partner stops sending', async () => {
    await beginInProject();
    await goTo('Alerts');
    await button('New alert').first().click();
    const form = page.getByRole('dialog', { name: 'New alert' });
    await form.getByRole('textbox', { name: 'Name' }).fill('Network is silent');
    await choose('Tell me when', 'nothing is received any more');
    await choose('Partner', own('Network'));
    await form.getByRole('textbox', { name: 'For hours' }).fill('24');
    await form.getByRole('textbox', { name: 'E-mail of receiver 1' }).fill('ops@jobs.example');
    await form.getByRole('button', { name: 'Save' }).click();
    const row = findRow('Alerts', 'Network is silent');
    await row.getByText('ops@jobs.example').waitFor();
    const { alerts } = await askProject<{ alerts: { name: string }[] }>('alerts');
    expect(alerts.find(({ name }) => name === 'Network is silent')).toMatchObject({
      condition: { type: 'nothing_received', kind: 'click', hours: 24, partner_id: partnerId },
      receivers: [{ kind: 'email', to: 'ops@jobs.example' }],
      enabled: true,
    });
    await row.getByRole('link', { name: 'Network is silent' }).click();
    await heading('Network is silent');
  });

  test('where did this click go?', async () => {
    await beginInProject();
    await goTo('Find a click');
    const find = async (tid: string) => {
      await page.getByRole('textbox', { name: 'ID of the click or impression' }).fill(tid);
      await button('Find').click();
      await page.waitForURL(new RegExp(`search=${tid}`));
    };
    type Found = { touches: { touch_id: string; state: string }[]; refused: { reason: string }[] };
    await find('waits');
    await page.getByText('Accepted; no install so far').waitFor();
    await find('wrong');
    await page.getByText('Refused with this tid').waitFor();
    await page.getByText('gaid and idfa must be UUIDs with hyphens.').waitFor();
    expect(await askProject<Found>('touches?search=wrong')).toMatchObject({
      touches: [],
      refused: [{ reason: 'invalid_device_id' }],
    });
    await find('unheard-of');
    await page.getByText('Nothing is known of it').waitFor();
    await find('won');
    await page.getByText('An install is credited to it').waitFor();
    const { touches } = await askProject<Found>('touches?search=won');
    expect(touches).toMatchObject([{ state: 'credited' }]);
    await page.getByText(touches[0]?.touch_id as string).waitFor();
    await page.getByRole('link', { name: 'Install jobs-won' }).click();
    await page.getByRole('heading', { name: /^Credited to Spring/ }).waitFor();
  });

  test('two figures on two axes, a pivot, and on paper', async () => {
    await beginInProject();
    await choosePeriod('Last 28 days', 'Last month');
    await goTo('Explore');
    const takeOut = (name: string) =>
      page.locator('.mantine-Pill-root').filter({ hasText: name }).locator('button').click();
    for (const name of ['Sign-ups', 'Spend', 'ROAS', 'Campaign']) await takeOut(name);
    await page.getByRole('heading', { name: 'Installs, Revenue', exact: true }).waitFor();
    const amounts = /^€\d/;
    const { left, right } = await eventually('both axes are there', async () => {
      const sides = await readWritten();
      return sides.left.includes('12') && sides.right.some((one) => amounts.test(one)) ? sides : undefined;
    });
    expect(left.filter((one) => amounts.test(one))).toEqual([]);
    expect(right.filter((one) => /^\d+$/.test(one))).toEqual([]);

    await page.getByRole('combobox', { name: 'By', exact: true }).fill('Campa');
    await page.getByRole('option', { name: 'Campaign', exact: true }).click();
    await page.getByRole('combobox', { name: 'By', exact: true }).fill('Coun');
    await page.getByRole('option', { name: 'Country', exact: true }).click();
    await page.getByText('Pivot', { exact: true }).click();
    await page.getByRole('table', { name: 'Pivot' }).waitFor();
    await page
      .locator('section')
      .filter({ has: page.getByRole('table', { name: 'Pivot' }) })
      .getByRole('combobox', { name: 'Figure of the chart' })
      .click();
    await page.getByRole('option', { name: 'Revenue' }).click();
    const { results } = await ask(service, KEY, { ...JUNE, metrics: ['revenue'], dimensions: ['campaign', 'country'] });
    expect(results).toHaveLength(Object.keys(CAMPAIGNS).length);
    for (const {
      dimensions: [campaign, country],
      metrics: [revenue],
    } of results)
      await expectFigures('Pivot', CAMPAIGNS[campaign as DisplayId].name, {
        [country === 'DE' ? 'Germany' : 'France']: money.format(revenue as number),
        [country === 'DE' ? 'France' : 'Germany']: '–',
      });

    await page.emulateMedia({ media: 'print' });
    await page.getByRole('navigation').waitFor({ state: 'hidden' });
    await page.getByRole('banner').waitFor({ state: 'hidden' });
    await button('Share').waitFor({ state: 'hidden' });
    await button(/^Last month Jun 1 – 30/).waitFor();
    await heading('Explore');
    await findRow('Pivot', 'Quick').getByText(money.format(30)).first().waitFor();
  });

  test('the result of a statement as a chart and as a pivot', async () => {
    await beginInProject();
    await goTo('SQL');
    await page.getByRole('textbox', { name: 'Statement' }).click();
    await page.keyboard.press('Control+A');
    const query = `SELECT campaign_name, type, count() AS events FROM app_events
      WHERE time < '2025-08-01' AND campaign_name != '' GROUP BY ALL ORDER BY ALL`;
    await page.keyboard.insertText(query);
    await button('Run').click();
    const { body } = await owner.send('POST', '/api/v1/sql', { query }, { 'project-id': String(projectId) });
    const rows = body.rows as [campaign: string, type: string, events: number][];
    await expectFigures('Result', 'TikTok summer', { events: '2' });

    await page.getByText('Bars', { exact: true }).click();
    await eventually('the bars are there', async () => {
      const { left, middle } = await readWritten();
      return left.includes('5') && middle.includes('Quick') ? true : undefined;
    });
    await page.getByRole('figure', { name: 'Result' }).getByRole('button', { name: 'Show as a table' }).click();
    const lines = page.getByRole('region', { name: 'Result' }).getByRole('row');
    await eventually('they are those of the rows', async () => {
      const shown = (await lines.allInnerTexts()).slice(1).map((line) => line.trim().split(/\s*\t\s*/));
      return isDeepStrictEqual(
        shown,
        rows.map(([name, , count]) => [name, String(count)]),
      )
        ? true
        : undefined;
    });

    await page.getByText('Pivot', { exact: true }).click();
    for (const [name, type, count] of rows) await expectFigures('Result', name, { [type]: String(count) });
    expect(rows.at(-1)).toEqual(['TikTok summer', 'payment', 5]);
    // Names that the editor still offered would lie above all this.
    expect(await page.getByRole('option').count()).toBe(0);
  });

  test('what was asked too often is asked again by itself', async () => {
    await beginInProject();
    let refused = 0;
    await page.route('**/reporting/query', async (route) => {
      // The page tries twice more before it says anything.
      if (refused === 3 || !route.request().postData()?.includes('"country"')) return route.fallback();
      refused += 1;
      await route.fulfill({ status: 429, headers: { 'Retry-After': '1' }, json: { message: 'Too many requests' } });
    });
    await choosePeriod('Last 28 days', 'Last month');
    await page.getByText('Too many requests at once. It is asked again by itself in 1 s.').waitFor();
    await findRow('Top countries', 'France').waitFor();
    expect(refused).toBe(3);
  });

  test('a partner sees what it was sent, and what came of it', async () => {
    const [sent] = await receiver.waitFor('/told');
    await eventually('it is in the log', async () => {
      const { body } = await admin.send('GET', `/admin/v1/partners/${partnerId}/postbacks/log`);
      return (body.attempts as object[]).length > 0 ? true : undefined;
    });
    await begin(admin, `partners/${partnerId}`);
    await goTo('Messages sent');
    const row = findRow('Messages sent', 'jobs-won');
    await row.getByText('Delivered').waitFor();
    await row.getByRole('button').click();
    const details = page.getByRole('dialog', { name: `Install · ${own('Network')}` });
    await details.getByText(`${receiver.url}${sent?.url}`).waitFor();
    await details.getByText('HTTP status 200').waitFor();
    await details.getByText(own('Shop')).waitFor();
    expect(await page.getByRole('button', { name: /^Send again/ }).count()).toBe(0);
  });
});
