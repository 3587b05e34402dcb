/// <reference lib="dom" />
/**
 * /adtrail.js in a real Chromium against the running service (docs/contract.md, Collectors): what a browser does ends
 * up in the report.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { eventually, root } from '../support/service';
import { sharedService } from '../support/shared-service';
import { BROWSER, reportData, webWorkspace } from '../support/web';

const script = readFileSync(path.join(root, 'dist', 'browser', 'adtrail.js'), 'utf8');

test('the script is under 4 kB gzipped, and sets no cookie', () => {
  expect(gzipSync(script).length).toBeLessThan(4_000);
  expect(script).not.toContain('cookie');
});

const onPath = (name: string) =>
  (process.env.PATH ?? '').split(path.delimiter).map((folder) => path.join(folder, name));
const executable = [
  process.env.CHROMIUM ?? '',
  '/usr/bin/chromium',
  ...onPath('chromium'),
  ...onPath('chromium-browser'),
  ...onPath('google-chrome'),
].find((file) => file !== '' && existsSync(file) && statSync(file).isFile());
const inBrowser = executable ? describe : describe.skip;

interface Sent {
  readonly type: string;
  readonly name: string;
  readonly session_id: string;
  readonly visitor_id: string;
  readonly url: string;
  readonly user_id: string;
  readonly channel: string;
  readonly referrer: string;
  readonly revenue: number | null;
  readonly properties: string;
}

inBrowser(executable ? 'in Chromium' : 'skipped: no Chromium', () => {
  const service = sharedService();
  let site: http.Server;
  let origin: string;
  let browser: Browser;
  let context: BrowserContext;
  let attributes = '';

  beforeAll(async () => {
    await service.apply(webWorkspace('browser'));
    // A website of another origin than the service, with two pages that link to each other.
    site = http.createServer((req, res) => {
      res.setHeader('content-type', 'text/html');
      res.end(`<!doctype html><title>${req.url}</title>
        <script>window.adtrail=window.adtrail||function(){(adtrail.q=adtrail.q||[]).push(arguments)};</script>
        <script async src="${service.url}/adtrail.js" data-key="web-key-of-browser" ${attributes}></script>
        <a id="next" href="/second">second</a>`);
    });
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
    browser = await chromium.launch({
      executablePath: executable as string,
      args: [
        '--headless',
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    });
  }, 360_000);
  afterAll(async () => {
    await browser?.close();
    site?.closeAllConnections();
    site?.close();
  });
  beforeEach(async () => {
    attributes = '';
    // Headless Chromium would count as a bot.
    context = await browser.newContext({ userAgent: BROWSER });
  });
  afterEach(() => context.close());

  const stored = (visitor: string) =>
    service.rows<Sent>(
      `SELECT type, name, session_id, visitor_id, url, user_id, channel, referrer, revenue, properties
       FROM analytics.web_events
       WHERE visitor_id = '${visitor}'
       ORDER BY time, name`,
    );
  const storedOf = (visitor: string, count: number) =>
    eventually(`${count} events of ${visitor}`, async () => {
      const events = await stored(visitor);
      return events.length >= count ? events : undefined;
    });
  type State = { v: string; s: string; t: number };
  const pageAt = async (address: string) => {
    const page = await context.newPage();
    await page.goto(origin + address);
    const state = () => page.evaluate(() => JSON.parse(localStorage.getItem('adtrail') ?? 'null') as State | null);
    const ready = () => eventually('the script has started', async () => (await state()) ?? undefined);
    return { page, state, ready };
  };

  test('a UTM landing, navigation, sign-up and purchase end up in the report', async () => {
    const { page, ready } = await pageAt('/?utm_source=news&utm_medium=email&utm_id=spring');
    const { v } = await ready();
    await page.click('#next');
    await page.waitForURL('**/second');
    await page.evaluate(() => {
      const adtrail = (window as unknown as { adtrail: (...rest: unknown[]) => void }).adtrail;
      adtrail('event', 'signup', { user_id: 'user-1', plan: 'pro' });
      adtrail('event', 'purchase', { revenue: 12.5 });
    });
    const events = await storedOf(v, 4);
    expect(events.map(({ type, name }) => name || type).sort()).toEqual([
      'page_view',
      'page_view',
      'purchase',
      'signup',
    ]);
    expect(new Set(events.map((event) => event.session_id)).size).toBe(1);
    expect(events.find((event) => event.name === 'signup')).toMatchObject({
      user_id: 'user-1',
      properties: '{"plan":"pro"}',
    });
    const { campaigns } = await reportData(service, 'server-key-of-browser', { search: 'spring' });
    expect(campaigns).toMatchObject([
      {
        id: 'spring',
        source: 'news',
        visitors: 1,
        sessions: 1,
        page_views: 2,
        signups: 1,
        unique_signup_users: 1,
        conversion: 100,
        purchases: 1,
        revenue: 12.5,
      },
    ]);
    expect(await context.cookies()).toEqual([]);
  });

  test('pages of a single-page site are page views, once each', async () => {
    const { page, ready } = await pageAt('/app');
    const { v } = await ready();
    await page.evaluate(() => {
      history.pushState({}, '', '/app/a');
      history.replaceState({}, '', '/app/a');
      history.replaceState({}, '', '/app/b?tab=1');
      location.hash = 'section';
    });
    await page.goBack();
    await page.goBack();
    const events = await storedOf(v, 4);
    expect(events.map((event) => event.url.replace(origin, ''))).toEqual(['/app', '/app/a', '/app/b?tab=1', '/app']);
    expect(events[1]?.referrer).toBe(`${origin}/app`);
    expect(events.slice(1).map((event) => event.channel)).toEqual(['direct', 'direct', 'direct']);
  });

  test('a new campaign begins a new session, and so do 30 minutes of inactivity', async () => {
    const { page, ready, state } = await pageAt('/?utm_source=a');
    const first = await ready();
    await page.goto(`${origin}/?utm_source=a`);
    await eventually('the second page is counted', async () =>
      ((await state())?.t ?? 0) > first.t ? true : undefined,
    );
    expect((await state())?.s).toBe(first.s);
    await page.goto(`${origin}/?utm_source=b`);
    await eventually('the campaign is noticed', async () => ((await state())?.s !== first.s ? true : undefined));
    const second = (await state()) as State;
    await page.evaluate(() => {
      const kept = JSON.parse(localStorage.getItem('adtrail') ?? '{}') as { t: number };
      localStorage.setItem('adtrail', JSON.stringify({ ...kept, t: kept.t - 31 * 60_000 }));
    });
    await page.goto(`${origin}/later`);
    await eventually('the pause is noticed', async () => ((await state())?.s !== second.s ? true : undefined));
    expect((await state())?.v).toBe(first.v);
    expect(new Set((await storedOf(first.v, 4)).map((event) => event.session_id)).size).toBe(3);
  });

  test('what happens offline is kept and sent later', async () => {
    const { page, ready } = await pageAt('/');
    const { v } = await ready();
    await storedOf(v, 1);
    await context.setOffline(true);
    await page.evaluate(() =>
      (window as unknown as { adtrail: (...rest: unknown[]) => void }).adtrail('event', 'offline_event'),
    );
    await eventually('it is queued', async () =>
      (await page.evaluate(() => localStorage.getItem('adtrail_queue') ?? '')).includes('offline_event')
        ? true
        : undefined,
    );
    expect(await stored(v)).toHaveLength(1);
    await context.setOffline(false);
    const events = await storedOf(v, 2);
    expect(events.map((event) => event.name)).toContain('offline_event');
    await eventually('the queue is empty', async () =>
      (await page.evaluate(() => localStorage.getItem('adtrail_queue'))) === '[]' ? true : undefined,
    );
  });

  test('what is recorded as the page goes is sent by a beacon', async () => {
    const { page, ready } = await pageAt('/');
    const { v } = await ready();
    await storedOf(v, 1);
    await page.evaluate(() =>
      addEventListener('beforeunload', () =>
        (window as unknown as { adtrail: (...rest: unknown[]) => void }).adtrail('event', 'farewell'),
      ),
    );
    await page.evaluate(() =>
      (window as unknown as { adtrail: (...rest: unknown[]) => void }).adtrail('event', 'farewell'),
    );
    await page.close({ runBeforeUnload: false });
    expect((await storedOf(v, 2)).map((event) => event.name)).toContain('farewell');
  });

  test('commands given before the script has loaded count', async () => {
    const page = await context.newPage();
    await page.addInitScript(() => {
      (window as unknown as { adtrail: unknown }).adtrail = Object.assign(() => undefined, {
        q: [
          ['user', 'early'],
          ['event', 'early_event'],
        ],
      });
    });
    await page.goto(`${origin}/`);
    const state = await eventually(
      'the script has started',
      async () =>
        (await page.evaluate(() => JSON.parse(localStorage.getItem('adtrail') ?? 'null') as State | null)) ?? undefined,
    );
    const events = await storedOf(state.v, 2);
    expect(events.find((event) => event.name === 'early_event')?.user_id).toBe('early');
  });

  test.each(['doNotTrack', 'globalPrivacyControl'])('who sends %s is not measured', async (signal) => {
    await context.addInitScript(
      (name) => Object.defineProperty(navigator, name, { value: name === 'doNotTrack' ? '1' : true }),
      signal,
    );
    const requests: string[] = [];
    context.on('request', (request) => requests.push(request.url()));
    const { page, state } = await pageAt('/?utm_source=private');
    await page.waitForFunction(
      () => !(window as unknown as { adtrail: { q?: unknown } }).adtrail.q && document.readyState === 'complete',
    );
    await page.evaluate(() =>
      (window as unknown as { adtrail: (...rest: unknown[]) => void }).adtrail('event', 'signup'),
    );
    expect(await state()).toBeNull();
    expect(requests.filter((url) => url.includes('/collect/'))).toEqual([]);
  });

  test('data-endpoint sends elsewhere', async () => {
    const paths: string[] = [];
    const other = http.createServer((req, res) => {
      paths.push(req.url ?? '');
      res.writeHead(202, { 'access-control-allow-origin': '*' }).end('{}');
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    attributes = `data-endpoint="http://127.0.0.1:${(other.address() as AddressInfo).port}/"`;
    await pageAt('/');
    await eventually('the other endpoint hears of it', () => (paths.length > 0 ? true : undefined));
    expect(paths[0]).toBe('/collect/v1/web?web-key=web-key-of-browser');
    other.closeAllConnections();
    other.close();
  });

  describe('consent', () => {
    const call = (page: Page, name: 'consent' | 'optOut' | 'optIn', ...rest: boolean[]) =>
      page.evaluate(
        ([method, given]) =>
          (window as unknown as Record<string, Record<string, (...all: unknown[]) => void>>).adtrail?.[
            method as string
          ]?.(...given),
        [name, rest] as const,
      );
    const kept = (page: Page) => page.evaluate(() => Object.keys(localStorage).sort());
    const track = (page: Page, name: string) =>
      page.evaluate((event) => {
        (window as unknown as { adtrail: (...rest: unknown[]) => void }).adtrail('event', event);
      }, name);
    const loaded = (page: Page) =>
      eventually('the script has started', async () =>
        (await page.evaluate(
          () => typeof (window as unknown as { adtrail: { consent?: unknown } }).adtrail.consent,
        )) === 'function'
          ? true
          : undefined,
      );

    test('where it is required, nothing is kept or sent before it, and nothing is lost by it', async () => {
      attributes = 'data-consent="required"';
      const { page, ready } = await pageAt('/?utm_source=consent');
      await loaded(page);
      const requests: string[] = [];
      page.on('request', (request) => requests.push(request.url()));
      await page.evaluate(() => {
        (window as unknown as { adtrail: (...rest: unknown[]) => void }).adtrail('user', 'user-consent');
      });
      await track(page, 'before');
      await page.waitForTimeout(500);
      expect([await kept(page), requests]).toEqual([[], []]);
      await call(page, 'consent', true);
      const { v } = await ready();
      const events = await storedOf(v, 2);
      expect(events.map(({ type, name }) => name || type).sort()).toEqual(['before', 'page_view']);
      expect(events.find(({ name }) => name === 'before')?.user_id).toBe('user-consent');
      // Another page of the website need not ask again.
      await page.click('#next');
      await storedOf(v, 3);
    });

    test('refused, nothing is kept but the refusal, and nothing is sent', async () => {
      attributes = 'data-consent="required"';
      const { page } = await pageAt('/');
      await loaded(page);
      const requests: string[] = [];
      page.on('request', (request) => requests.push(request.url()));
      await call(page, 'consent', false);
      await track(page, 'after');
      await page.waitForTimeout(500);
      expect([await kept(page), requests]).toEqual([['adtrail_choice'], []]);
    });

    test('who opts out is forgotten by the browser, and measured again only after opting in', async () => {
      const { page, ready } = await pageAt('/');
      const { v } = await ready();
      await storedOf(v, 1);
      await call(page, 'optOut');
      await track(page, 'out');
      await page.waitForTimeout(500);
      expect(await kept(page)).toEqual(['adtrail_choice']);
      await call(page, 'optIn');
      await track(page, 'in');
      const again = await ready();
      expect(again.v).not.toBe(v);
      expect((await storedOf(again.v, 1)).map(({ name }) => name)).toEqual(['in']);
      expect(await stored(v)).toHaveLength(1);
    });
  });
});
