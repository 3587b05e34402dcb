/// <reference lib="dom" />
/** The SQL page in Chromium: completion, errors, order, copies, cancelling; and a service that is away. */
import { isDeepStrictEqual } from 'node:util';
import type { Browser as Chromium, Page } from 'playwright-core';
import { inBrowser, launch, openPage, violations, type Watched } from '../support/chromium';
import { ownNames } from '../support/workspace/own-names';
import { findPerson, readOperator } from '../support/people/person';
import { idByName } from '../support/s2s/s2s-client';
import { sharedService } from '../support/shared-service';
import { eventually } from '../support/waiting';

const own = ownNames('page-of-sql');
const LIMIT = 90_000;

inBrowser('the SQL page', () => {
  const service = sharedService();
  let chromium: Chromium;
  let watched: Watched;
  let address: string;
  let page: Page;

  beforeAll(async () => {
    await service.apply(
      own.document({
        accounts: [{ name: 'Account' }],
        projects: [{ name: 'Shop', account: 'Account', timezone: 'Asia/Kathmandu', currency: 'EUR' }],
      }),
    );
    const operator = await readOperator(service, 'page-of-sql@adtrail.example');
    const { accounts } = (await operator.send('GET', '/auth/v1/me')).body as {
      accounts: { id: number; name: string }[];
    };
    const account = { account_id: accounts.find(({ name }) => name === own('Account'))?.id as number };
    const owner = await findPerson(service, operator, 'owner', account, 'page-of-sql-owner@adtrail.example');
    address = `${service.url}/projects/${await idByName(service, 'projects', own('Shop'))}/sql`;
    chromium = await launch();
    watched = await openPage(chromium, service.url, owner);
    page = watched.page;
  }, 180_000);
  afterAll(() => chromium?.close());

  const editor = () => page.getByRole('textbox', { name: 'Statement' });
  async function write(statement: string): Promise<void> {
    await editor().click();
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText(statement);
  }
  const cells = () => page.locator('table tbody tr td:first-child').allInnerTexts();
  const expectCells = (expected: readonly string[]) =>
    eventually('the rows are sorted', async () => isDeepStrictEqual(await cells(), expected) || undefined).catch(
      async () => expect(await cells()).toEqual(expected),
    );

  test(
    'offers columns of the view with their comments, and lets Tab leave',
    async () => {
      await page.goto(address);
      await editor().waitFor();
      // The policy lets the styles of the editor in. What Chromium itself puts around typed text it drops.
      expect(watched.problems).toEqual([]);
      await write('SELECT  FROM installs');
      for (let step = 0; step < ' FROM installs'.length; step += 1) await page.keyboard.press('ArrowLeft');
      await page.keyboard.type('netw');
      await page.getByRole('option', { name: /^network/ }).waitFor();
      await page.keyboard.press('Escape');
      await page.keyboard.press('Tab');
      expect(await page.evaluate(() => document.activeElement?.closest('.cm-editor') === null)).toBe(true);
      expect(await violations(page)).toEqual([]);
    },
    LIMIT,
  );

  test(
    'marks where an error is, sorts by size with NULL last, and copies',
    async () => {
      await write('SELECT 1 FRM nothing WHERE');
      await page.keyboard.press('Control+Enter');
      await page.getByRole('alert').waitFor();
      await page.locator('.cm-lintRange-error').waitFor();
      await write("SELECT arrayJoin(['9', '10', '0.5', NULL])::Nullable(Decimal(38, 9)) AS n");
      await page.getByRole('button', { name: 'Run' }).click();
      await page.getByRole('button', { name: 'n', exact: true }).click();
      await expectCells(['10', '9', '0.5', 'NULL']);
      await page.getByRole('button', { name: 'n', exact: true }).click();
      await expectCells(['0.5', '9', '10', 'NULL']);
      await page.getByRole('button', { name: 'Copy', exact: true }).click();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('n\n9\n10\n0.5\n');
    },
    LIMIT,
  );

  test(
    'cancels, remembers and saves as new',
    async () => {
      await write('SELECT sum(sipHash64(number)) AS slow_one FROM numbers(1000000000000)');
      await page.keyboard.press('Control+Enter');
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.getByText('The statement was cancelled').waitFor();
      await page.getByRole('button', { name: 'History' }).click();
      await page.getByRole('menuitem').filter({ hasText: 'slow_one' }).waitFor();
      await page.keyboard.press('Escape');
      await write('SELECT 1 AS one');
      await page.getByRole('textbox', { name: 'Name' }).fill('First');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByRole('button', { name: 'Open First', exact: true }).waitFor();
      await page.getByRole('textbox', { name: 'Name' }).fill('Second');
      await page.getByRole('button', { name: 'Save as new' }).click();
      await page.getByRole('button', { name: 'Open Second', exact: true }).waitFor();
      expect(await page.getByRole('button', { name: /^Open / }).count()).toBe(2);
    },
    LIMIT,
  );

  test(
    'says once that the service is away, and loads again when it is back',
    async () => {
      await page.goto(address.replace(/sql$/, 'overview'));
      await page.getByRole('heading', { level: 1 }).waitFor();
      // The page has all of its own code: what is loading while the network goes is another case.
      await page.waitForLoadState('networkidle');
      await watched.context.setOffline(true);
      await page.getByRole('link', { name: 'Campaigns' }).click();
      await page.getByText('The service cannot be reached.').waitFor();
      expect(await page.getByRole('alert').count()).toBe(1);
      await watched.context.setOffline(false);
      await page.getByText('The service cannot be reached.').waitFor({ state: 'detached' });
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(await page.getByRole('alert').count()).toBe(0);
    },
    LIMIT,
  );
});
