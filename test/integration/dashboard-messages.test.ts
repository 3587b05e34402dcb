/// <reference lib="dom" />
/** The log of postbacks and webhooks as a page: what was not delivered is found, opened and sent again. */
import type { Browser as Chromium } from 'playwright-core';
import { appEvent, collectApp } from '../support/collect-client';
import { inBrowser, launch, openPage, RULES_OF_COLOUR, violations, type Watched } from '../support/chromium';
import { operatorOf, personOf } from '../support/person';
import { startReceiver, type Receiver } from '../support/receiver';
import { eventually, startService, type RunningService } from '../support/service';
import { workspace } from '../support/workspace';

const KEY = 'server-key-of-messages';
const INSTALL = 'install-of-messages';
const LIMIT = 90_000;

inBrowser('in Chromium', () => {
  let service: RunningService;
  let receiver: Receiver;
  let chromium: Chromium;
  let admin: Watched;
  let analyst: Watched;
  let address: string;

  beforeAll(async () => {
    receiver = await startReceiver();
    receiver.answer('/hook', 404);
    receiver.answer('/away', 'hang');
    service = await startService({ OUTBOX_ALLOW_PRIVATE: '127.0.0.1/32', OUTBOX_RETRIES: '1', LIMIT_IP: 'off' });
    await service.apply({
      ...workspace,
      projects: workspace.projects.map((project) =>
        project.name === 'Acme Shop'
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
    const { body } = await service.admin('GET', '/projects');
    const id = (body.projects as { id: number; name: string }[]).find(({ name }) => name === 'Acme Shop')?.id;
    address = `${service.url}/projects/${id}/messages`;
    const { accounts } = (await service.admin('GET', '/accounts')).body as { accounts: { id: number; name: string }[] };
    const account = { account_id: accounts.find(({ name }) => name === 'Acme')?.id as number };
    const operator = await operatorOf(service);
    const send = (type: string) =>
      collectApp(service, [appEvent(type, { install_id: INSTALL })], { 'service-key': KEY });
    expect((await send('install')).accepted).toBe(1);
    await eventually('the install is told', async () => {
      const log = await service.admin('GET', `/projects/${id}/postbacks/log?outcome=dead`);
      return (log.body.attempts as unknown[]).length > 0 ? true : undefined;
    });
    chromium = await launch();
    admin = await openPage(chromium, service.url, await personOf(service, operator, 'admin', account));
    analyst = await openPage(chromium, service.url, await personOf(service, operator, 'analyst', account));
    expect((await send('signup')).accepted).toBe(1);
  }, 360_000);
  afterAll(async () => {
    await chromium?.close();
    await service?.dispose();
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
      await expectAccessible(admin);
      // It hangs for ten seconds, and once more after a second.
      receiver.answer('/away', 200);
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
