/** Files of spend in the dashboard, in a real Chromium: recognised, mapped, warned of, undone. */
import { type Browser, type Page } from 'playwright-core';
import { inBrowser, launch, openContext, violations } from '../support/chromium';
import { readOperator } from '../support/people/person';
import { sharedService } from '../support/shared-service';
import { idByName } from '../support/s2s/s2s-client';
import { ownNames } from '../support/workspace/own-names';

const own = ownNames('pages-spend');
const META = [
  'Reporting starts,Reporting ends,Campaign name,Campaign ID,Amount spent (USD),Impressions,Link clicks',
  '2024-06-01,2024-06-01,Spring,c:991,"1,012.50","10,000",7',
  '2024-06-02,2024-06-02,Spring,c:991,20.25,900,3',
  '2024-06-01,2024-06-30,,,"1,032.75","10,900",10',
].join('\n');
const UNKNOWN = 'Tag;Kampagne;Kosten\n03.04.2024;992;1.234,50\n04.05.2024;992;7,25\n';

inBrowser('in Chromium', () => {
  const service = sharedService();
  let browser: Browser;
  let page: Page;
  let base: string;
  let projectId: number;

  beforeAll(async () => {
    await service.apply(
      own.document({
        accounts: [{ name: 'Acme' }],
        projects: [
          {
            name: 'Shop',
            account: 'Acme',
            timezone: 'UTC',
            currency: 'XBA',
            network_accounts: [{ network: 'META', external_customer_id: 'act_5', currency: 'USD' }],
          },
        ],
      }),
    );
    projectId = await idByName(service, 'projects', own('Shop'));
    const operator = await readOperator(service, 'spend@adtrail.example');
    base = `${service.url}/projects/${projectId}/spend`;
    browser = await launch();
    const context = await openContext(browser, { viewport: { width: 1280, height: 900 } });
    const [name = '', value = ''] = operator.cookie.split(/=(.*)/s);
    await context.addCookies([{ name, value, url: service.url }]);
    page = await context.newPage();
  }, 360_000);
  afterAll(() => browser?.close());

  const choose = async (name: string, text: string) => {
    await page.goto(`${base}?tab=upload`);
    await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
  };
  const expectAccessible = async () => expect(await violations(page)).toEqual([]);
  const stored = () =>
    service.rows(
      `SELECT network_campaign_id AS campaign, toString(sum(spend)) AS spend FROM analytics.ad_spend
       WHERE project_id = ${projectId} GROUP BY campaign ORDER BY campaign`,
    );

  test('an export of Meta Ads is recognised, shown as it will be stored, warned of, uploaded and undone', async () => {
    await choose('meta june.csv', META);
    await page.getByText('Meta Ads', { exact: true }).waitFor();
    await page.getByText('2 good', { exact: true }).waitFor();
    await page.getByText('1 row of totals left out').waitFor();
    await page.getByText('1032.75 USD will not count in reports: there is no rate of XBA').waitFor();
    const sample = page.getByRole('table', { name: 'First rows as they will be stored' });
    await sample.getByText('1012.5 USD').waitFor();
    await sample.getByText('act_5').first().waitFor();
    await expectAccessible();
    await page.getByRole('button', { name: 'Upload 2 good rows' }).click();
    await page.getByText('2 rows are stored').first().waitFor();
    expect(await stored()).toEqual([{ campaign: '991', spend: '1032.75' }]);
    await page.getByRole('tab', { name: 'History' }).click();
    const row = page.getByRole('row', { name: /meta june\.csv/ });
    await row.getByText('1032.75 USD').waitFor();
    await row.getByText('In force').waitFor();
    await expectAccessible();
    await row.getByRole('button', { name: 'Undo meta june.csv' }).click();
    await page.getByRole('button', { name: 'Undo the upload' }).click();
    await row.getByText('Undone', { exact: true }).waitFor();
    await row.getByText('0 restored, 2 removed, 0 kept').waitFor();
    expect(await stored()).toEqual([]);
    await expectAccessible();
  }, 90_000);

  test('an unknown file is mapped by hand, and what can be read in two ways is asked for', async () => {
    await choose('kosten.csv', UNKNOWN);
    await page.getByText('This header is not known.', { exact: false }).waitFor();
    await page.getByText('Still needed: Date, Campaign ID, Spend, Currency').waitFor();
    await expectAccessible();
    const pick = async (field: string, option: string) => {
      await page.getByLabel(field).first().click();
      await page.getByRole('option', { name: option, exact: true }).click();
    };
    await pick('Date', 'Tag');
    await pick('Campaign ID', 'Kampagne');
    await pick('Spend', 'Kosten');
    await page.getByLabel('Currency, the same for all rows').fill('EUR');
    await page.getByLabel('Network, the same for all rows').fill('META');
    await page.getByText('Still needed: Account').waitFor();
    await page.getByLabel('Account, the same for all rows').fill('5');
    await pick('How days are written', 'Day first: 05/03/2026');
    await pick('Decimal sign', 'Comma: 1.234,56');
    await page.getByRole('button', { name: 'Check the rows' }).click();
    await page.getByText('2 good', { exact: true }).waitFor();
    await page.getByText('1241.75 EUR on', { exact: false }).waitFor();
    await page.getByRole('button', { name: 'Upload 2 good rows' }).click();
    await page.getByText('2 rows are stored').first().waitFor();
    expect(await stored()).toEqual([{ campaign: '992', spend: '1241.75' }]);
  }, 90_000);

  test('fits a narrow window', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await choose('meta.csv', META);
    await page.getByText('2 good', { exact: true }).waitFor();
    const overflow = () => page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
    expect(await overflow()).toBeLessThanOrEqual(0);
    await page.goto(`${base}?tab=history`);
    await page.getByText('kosten.csv').waitFor();
    expect(await overflow()).toBeLessThanOrEqual(0);
  }, 60_000);
});
