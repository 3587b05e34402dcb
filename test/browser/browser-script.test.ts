/// <reference lib="dom" />
/**
 * /adtrail.js in a real Chromium against the running service (docs/contract/collectors.md): what a browser does ends
 * up in the report.
 */
import { readFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { inBrowser, launch } from '../support/chromium';
import { eventually, root } from '../support/service';
import { sharedService } from '../support/shared-service';
import { BROWSER, reportData, webWorkspace } from '../support/collect/web';

const script = readFileSync(path.join(root, 'dist', 'browser', 'adtrail.js'), 'utf8');

test('the script is under 4 kB gzipped', () => {
  expect(gzipSync(script).length).toBeLessThan(4_000);
});

interface Sent {
  readonly event_id: string;
  readonly type: string;
  readonly name: string;
  readonly session_id: string;
  readonly visitor_id: string;
  readonly url: string;
  readonly user_id: string;
  readonly channel: string;
  readonly source: string;
  readonly referrer: string;
  readonly revenue: number | null;
  readonly properties: string;
}

inBrowser('in Chromium', () => {
  const service = sharedService();
  let site: http.Server;
  let origin: string;
  let browser: Browser;
  let context: BrowserContext;
  let attributes = '';
  /** What stands before the tag in the head, what comes after it in the body, and headers of the page. */
  let head = '';
  let body = '';
  /** The tag of the script, where it is another one. */
  let markup = '';
  let headers: Record<string, string> = {};

  beforeAll(async () => {
    await service.apply(webWorkspace('browser'));
    // A website of another origin than the service, with two pages that link to each other.
    site = http.createServer((req, res) => {
      if (req.url === '/robots.txt') {
        res.end();
        return;
      }
      res.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers });
      res.end(`<!doctype html><title>${req.url}</title>
        <script>window.adtrail=window.adtrail||function(){(adtrail.q=adtrail.q||[]).push(arguments)};</script>
        ${head}${markup || tag(attributes)}
        <a id="next" href="/second">second</a>${body}`);
    });
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
    browser = await launch(['--disable-quic', '--host-resolver-rules=MAP *.acme.example 127.0.0.1']);
  }, 360_000);
  afterAll(async () => {
    await browser?.close();
    site?.closeAllConnections();
    site?.close();
  });
  const tag = (more = '') =>
    `<script async src="${service.url}/adtrail.js" data-key="web-key-of-browser" ${more}></script>`;
  beforeEach(async () => {
    attributes = head = body = markup = '';
    headers = {};
    // Headless Chromium would count as a bot.
    context = await browser.newContext({ userAgent: BROWSER });
  });
  afterEach(() => context.close());

  /** The events of a condition, once there are so many; the table is asked first, which costs less than its view. */
  const storedWhere = (condition: string, count: number) =>
    eventually(`${count} events where ${condition}`, async () => {
      const [there] = await service.rows<{ n: number }>(
        `SELECT toUInt32(count()) AS n FROM adtrail.web_events WHERE ${condition}`,
      );
      if ((there?.n ?? 0) < count) return undefined;
      const events = await service.rows<Sent>(
        `SELECT event_id, type, name, session_id, visitor_id, url, user_id, channel, source, referrer, revenue,
           properties
         FROM analytics.web_events
         WHERE ${condition}
         ORDER BY time, name`,
      );
      return events.length >= count ? events : undefined;
    });
  const stored = (visitor: string) => storedWhere(`visitor_id = '${visitor}'`, 0);
  const storedBy = (visitor: string, count: number) => storedWhere(`visitor_id = '${visitor}'`, count);
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
    const events = await storedBy(v, 4);
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
    const events = await storedBy(v, 4);
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
    expect(new Set((await storedBy(first.v, 4)).map((event) => event.session_id)).size).toBe(3);
  });

  test('what happens offline is kept and sent later', async () => {
    const { page, ready } = await pageAt('/');
    const { v } = await ready();
    await storedBy(v, 1);
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
    const events = await storedBy(v, 2);
    expect(events.map((event) => event.name)).toContain('offline_event');
    await eventually('the queue is empty', async () =>
      (await page.evaluate(() => localStorage.getItem('adtrail_queue'))) === '[]' ? true : undefined,
    );
  });

  test('what is recorded as the page goes is sent by a beacon', async () => {
    const { page, ready } = await pageAt('/');
    const { v } = await ready();
    await storedBy(v, 1);
    await page.evaluate(() =>
      addEventListener('beforeunload', () =>
        (window as unknown as { adtrail: (...rest: unknown[]) => void }).adtrail('event', 'farewell'),
      ),
    );
    await page.evaluate(() =>
      (window as unknown as { adtrail: (...rest: unknown[]) => void }).adtrail('event', 'farewell'),
    );
    await page.close({ runBeforeUnload: false });
    expect((await storedBy(v, 2)).map((event) => event.name)).toContain('farewell');
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
    const events = await storedBy(state.v, 2);
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

  /** The events of a page, by a mark in its address, whoever the visitor is. */
  const storedAt = (mark: string, count: number) => storedWhere(`position(url, '${mark}') > 0`, count);
  /** Gives the script a command. */
  const send = (page: Page, ...command: unknown[]) =>
    page.evaluate((rest) => {
      (window as unknown as { adtrail: (...all: unknown[]) => void }).adtrail(...rest);
    }, command);
  /** A page at an address, and what its console and its error handlers hear. */
  const open = async (address: string, options: Parameters<Page['goto']>[1] = {}) => {
    const page = await context.newPage();
    const errors: string[] = [];
    const said: string[] = [];
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('console', (message) => said.push(message.text()));
    await page.goto(address.startsWith('http') ? address : origin + address, options);
    return { page, errors, said };
  };
  const readState = (page: Page) =>
    page.evaluate(() => JSON.parse(localStorage.getItem('adtrail') ?? 'null') as (State & { u?: string }) | null);
  const rewind = (page: Page, minutes: number) =>
    page.evaluate((ms) => {
      const kept = JSON.parse(localStorage.getItem('adtrail') ?? '{}') as { t: number };
      localStorage.setItem('adtrail', JSON.stringify({ ...kept, t: kept.t - ms }));
    }, minutes * 60_000);
  const fill = () => {
    for (let size = 4 * 1024 * 1024, i = 0; size >= 1; i += 1)
      try {
        localStorage.setItem(`filler-${i}`, 'x'.repeat(size));
      } catch {
        size = Math.floor(size / 2);
      }
  };

  describe('a storage', () => {
    test('that the site has filled before loses nothing of the page', async () => {
      await context.addInitScript(fill);
      const { page, errors } = await open('/filled-before');
      await storedAt('/filled-before', 1);
      await send(page, 'event', 'one');
      await send(page, 'event', 'two');
      const events = await storedAt('/filled-before', 3);
      expect(events.map(({ name }) => name).sort()).toEqual(['', 'one', 'two']);
      expect(new Set(events.map(({ visitor_id }) => visitor_id)).size).toBe(1);
      expect(new Set(events.map(({ session_id }) => session_id)).size).toBe(1);
      expect(errors).toEqual([]);
    });

    test('that the site fills later loses nothing, and the visitor stays', async () => {
      const { page } = await open('/filled-later');
      const [first] = await storedAt('/filled-later', 1);
      await page.evaluate(fill);
      for (const name of ['one', 'two', 'three']) await send(page, 'event', name);
      const events = await storedAt('/filled-later', 4);
      expect(new Set(events.map(({ visitor_id }) => visitor_id))).toEqual(new Set([first?.visitor_id]));
      await page.goto(`${origin}/filled-later/next`);
      const [next] = await storedAt('/filled-later/next', 1);
      expect(next?.visitor_id).toBe(first?.visitor_id);
    });

    test.each<[string, () => void]>([
      [
        'throws on access',
        () =>
          Object.defineProperty(window, 'localStorage', {
            get() {
              throw new DOMException('denied', 'SecurityError');
            },
          }),
      ],
      ['is null', () => Object.defineProperty(window, 'localStorage', { value: null })],
      [
        'takes nothing and says nothing',
        () => {
          Storage.prototype.setItem = () => undefined;
        },
      ],
      [
        'may be read and not written',
        () => {
          Storage.prototype.setItem = Storage.prototype.removeItem = () => {
            throw new Error('read only');
          };
        },
      ],
    ])('that %s loses nothing of the page', async (how, forbid) => {
      const mark = `/forbidden-${how.replaceAll(' ', '-')}`;
      await context.addInitScript(forbid);
      const { page, errors } = await open(mark);
      await send(page, 'user', 'u-1');
      await send(page, 'event', 'one');
      await send(page, 'event', 'two');
      const events = await storedAt(mark, 3);
      expect(events.map(({ name, user_id }) => [name, user_id]).sort()).toEqual([
        ['', ''],
        ['one', 'u-1'],
        ['two', 'u-1'],
      ]);
      expect(new Set(events.map(({ visitor_id }) => visitor_id)).size).toBe(1);
      expect(errors).toEqual([]);
    });

    test('that is read-only and holds a queue does not send it for ever', async () => {
      await context.addInitScript(() => {
        localStorage.setItem(
          'adtrail_queue',
          JSON.stringify([
            {
              event_id: 'read-only-queue',
              type: 'page_view',
              time: new Date().toISOString(),
              visitor_id: 'v',
              session_id: 's',
              url: 'https://acme.example/read-only-queue',
            },
          ]),
        );
        Storage.prototype.setItem = () => undefined;
      });
      let posts = 0;
      context.on('request', (request) => (posts += Number(request.url().includes('/collect/'))));
      const { page } = await open('/read-only-page');
      await storedAt('/read-only-queue', 1);
      await send(page, 'event', 'later');
      await storedAt('/read-only-page', 2);
      expect(posts).toBeLessThan(6);
    });

    /** Opens a page for each text under a key of the script, and gives it an event: they end up at the marks. */
    const openWith = async (key: string, texts: readonly string[], visit: (mark: string) => object | undefined) => {
      const { page, errors } = await open('/poisoned');
      const marks = texts.map((_, i) => `/${key}-${i}-`);
      for (const [i, text] of texts.entries()) {
        const kept = visit(marks[i] as string);
        await page.goto(`${origin}/robots.txt`);
        await page.evaluate(
          (entries) => {
            localStorage.clear();
            for (const [name, value] of entries) localStorage.setItem(name as string, value as string);
          },
          [...(kept ? [['adtrail', JSON.stringify(kept)]] : []), [key, text]],
        );
        await page.goto(`${origin}${marks[i]}`);
        await send(page, 'event', 'goes on');
      }
      await page.goto('about:blank');
      expect(errors).toEqual([]);
      return Promise.all(marks.map((mark) => storedAt(mark, 2)));
    };

    test('with anything in the queue does not lose the visitor', async () => {
      const visit = (mark: string) => ({ v: `visitor-${mark}`, s: 'session-kept', t: Date.now() });
      const poisons = [
        '{"a":1}',
        '"text"',
        '5',
        'null',
        'true',
        '{',
        '',
        '[null]',
        '[1,"a",[],{}]',
        '[{"event_id":5}]',
        '[{"event_id":""}]',
        '[{"event_id":"poison-1"}]',
        '[[[[]]]]',
        '{"length":3}',
        '[{"event_id":"poison-2","properties":{"__proto__":{"a":1}}}]',
      ];
      const found = await openWith('adtrail_queue', poisons, visit);
      for (const [i, events] of found.entries())
        expect(events.map(({ visitor_id }) => visitor_id)).toEqual(Array(2).fill(`visitor-/adtrail_queue-${i}-`));
    });

    test('with anything for the visit has a visit all the same', async () => {
      const poisons = [
        ['"text"', false],
        ['5', false],
        ['[]', false],
        ['null', false],
        ['{', false],
        ['{"v":5}', false],
        ['{"v":""}', false],
        ['{"v":{"a":1}}', false],
        [`{"v":"${'x'.repeat(300)}"}`, false],
        ['{"v":"half \\ud83d"}', false],
        ['{"v":"kept-1","s":5,"t":"x"}', true],
        ['{"v":"kept-2","s":{},"t":null,"u":7,"c":[]}', true],
        ['{"v":"kept-3","s":"s","t":9e15,"u":"half \\ud83d"}', true],
        ['{"v":"kept-4"}', true],
      ] as const;
      const found = await openWith(
        'adtrail',
        poisons.map(([text]) => text),
        () => undefined,
      );
      for (const [i, [, isKept]] of poisons.entries()) {
        const events = found[i] as Sent[];
        expect(new Set(events.map(({ visitor_id, session_id }) => `${visitor_id} ${session_id}`)).size).toBe(1);
        expect(events[0]?.visitor_id).toMatch(isKept ? /^kept-\d$/ : /^[0-9a-f-]{32,36}$/);
        expect(events[0]?.session_id).toMatch(/^[0-9a-f-]{32,36}$/);
      }
    });

    test('with anything for the choice has no choice', async () => {
      const found = await openWith('adtrail_choice', ['"x"', '3', '{}', '[1]', '"2"', 'true', '{'], () => undefined);
      for (const events of found) expect(events).toHaveLength(2);
    });

    test('that is full takes the choice of who opts out', async () => {
      const { page } = await open('/full-choice');
      await storedAt('/full-choice', 1);
      await page.evaluate(fill);
      await page.evaluate(() => (window as unknown as { adtrail: { optOut(): void } }).adtrail.optOut());
      expect(await page.evaluate(() => localStorage.getItem('adtrail_choice'))).toBe('2');
      expect(await page.evaluate(() => localStorage.getItem('adtrail'))).toBeNull();
    });
  });

  describe('the tag', () => {
    /** That the page has sent these events and no others; what else it has sent is shown. */
    const expectSent = async (mark: string, page: Page, ...names: string[]) => {
      const visitor = (await readState(page))?.v;
      await send(page, 'event', 'last');
      const events = await storedAt(mark, names.length);
      await eventually('all has been sent', async () =>
        (await page.evaluate(() => localStorage.getItem('adtrail_queue'))) === '[]' ? true : undefined,
      );
      const own = (await storedAt(mark, events.length)).filter(({ visitor_id }) => visitor_id === visitor);
      expect(own).toHaveLength(names.length);
      expect(own.map(({ name, type }) => name || type).sort()).toEqual(names);
    };

    const loadAgain = (page: Page) =>
      page.evaluate(
        (src) =>
          new Promise((resolve) => {
            const element = document.createElement('script');
            Object.assign(element, { src, onload: resolve });
            element.setAttribute('data-key', 'web-key-of-browser');
            document.body.append(element);
          }),
        `${service.url}/adtrail.js`,
      );

    test('twice in a page counts as one', async () => {
      body = tag();
      const { page } = await open('/twice');
      await storedAt('/twice', 1);
      await page.waitForLoadState('load');
      await page.evaluate(() => history.pushState({}, '', '/twice/next'));
      await expectSent('/twice', page, 'last', 'page_view', 'page_view');
    });

    test('twice, with a stub that forgets the former, counts as one and runs its commands', async () => {
      const { page } = await open('/stubs');
      await storedAt('/stubs', 1);
      await page.evaluate(() => {
        const holder = window as unknown as { adtrail: { q?: unknown[] } & ((...all: unknown[]) => void) };
        holder.adtrail = (...all) => void (holder.adtrail.q = holder.adtrail.q ?? []).push(all);
        holder.adtrail('event', 'second stub');
      });
      await loadAgain(page);
      await storedAt('/stubs', 2);
      await expectSent('/stubs', page, 'last', 'page_view', 'second stub');
    });

    test('run again by a router counts once', async () => {
      const { page } = await open('/again');
      await storedAt('/again', 1);
      await loadAgain(page);
      await loadAgain(page);
      await expectSent('/again', page, 'last', 'page_view');
    });

    test('keeps the stub that a bundle holds', async () => {
      head = '<script>window.held=window.adtrail</script>';
      const { page } = await open('/held');
      await storedAt('/held', 1);
      await page.evaluate(() => (window as unknown as { held: (...all: unknown[]) => void }).held('event', 'by stub'));
      expect((await storedAt('/held', 2)).map(({ name }) => name)).toContain('by stub');
    });

    test.each([
      ['defer', (src: string) => `<script defer src="${src}" data-key="web-key-of-browser"></script>`],
      ['a module', (src: string) => `<script type="module" src="${src}" data-key="web-key-of-browser"></script>`],
      [
        'an element that is made later',
        (src: string) =>
          `<script>addEventListener('load',()=>{const s=document.createElement('script');s.src='${src}';` +
          "s.setAttribute('data-key','web-key-of-browser');document.head.append(s)})</script>",
      ],
    ])('as %s works', async (how, make) => {
      markup = make(`${service.url}/adtrail.js`);
      const mark = `/tag-${how.replaceAll(' ', '-')}`;
      const { errors } = await open(mark);
      await storedAt(mark, 1);
      expect(errors).toEqual([]);
    });

    test('in a page with <base> and a relative endpoint sends to the site itself', async () => {
      const paths: string[] = [];
      head = '<base href="https://elsewhere.example/deep/">';
      attributes = 'data-endpoint="/measure/"';
      await context.route('**/measure/**', (route) => {
        paths.push(route.request().url());
        return route.fulfill({ status: 202, body: '{"accepted":1,"rejected":[]}' });
      });
      await open('/based');
      await eventually('the site hears of it', () => (paths.length > 0 ? true : undefined));
      expect(paths[0]).toBe(`${origin}/measure/collect/v1/web?web-key=web-key-of-browser`);
    });

    test('where the site has put anything under its names throws nothing', async () => {
      head = '<script>window.adtrail={q:[5,null,["event","from q"],["nonsense"],{}]}</script>';
      const { errors } = await open('/names-taken');
      expect((await storedAt('/names-taken', 2)).map(({ name }) => name)).toContain('from q');
      expect(errors).toEqual([]);
    });
  });

  describe('an event', () => {
    test('has the revenue of a number or a numeric text, and is never lost', async () => {
      const cases: readonly [unknown, number | null][] = [
        ['49.90', 49.9],
        [' 49.90 ', 49.9],
        ['+5', 5],
        ['-3.5', -3.5],
        ['.5', 0.5],
        ['1e2', 100],
        [7, 7],
        ['49,90', null],
        ['$49.90', null],
        ['0x10', null],
        ['abc', null],
        ['', null],
        [null, null],
        [{}, null],
        [1e16, null],
        ['1e999', null],
      ];
      const { page, said } = await open('/revenue');
      for (const [i, [revenue]] of cases.entries())
        await send(page, 'event', `purchase-${i}`, { revenue, plan: 'pro' });
      const events = await storedAt('/revenue', cases.length + 1);
      const stored = new Map(events.map((event) => [event.name, [event.revenue, event.properties]]));
      expect(cases.map((_, i) => stored.get(`purchase-${i}`))).toEqual(
        cases.map(([, expected]) => [expected, '{"plan":"pro"}']),
      );
      const unread = cases.filter(([revenue, expected]) => expected === null && revenue !== '' && revenue !== null);
      expect(said.filter((text) => text === 'adtrail: revenue is left out')).toHaveLength(unread.length);
    });

    test('of NaN, infinite and big revenue is never lost', async () => {
      const { page } = await open('/numbers');
      await page.evaluate(() => {
        const adtrail = (window as unknown as { adtrail: (...rest: unknown[]) => void }).adtrail;
        adtrail('event', 'nan', { revenue: NaN });
        adtrail('event', 'infinite', { revenue: Infinity });
        adtrail('event', 'big', { revenue: BigInt(50) });
      });
      const events = await storedAt('/numbers', 4);
      const revenue = Object.fromEntries(events.map((event) => [event.name, event.revenue]));
      expect(revenue).toMatchObject({ nan: null, infinite: null, big: 50 });
    });

    test('with half an emoji and NUL is mended', async () => {
      const { page, errors } = await open('/half');
      await page.evaluate(() => {
        const adtrail = (window as unknown as { adtrail: (...rest: unknown[]) => void }).adtrail;
        adtrail('event', 'half \ud83d', { revenue: '12', text: 'cut \ud83d', 'name\0': 'a\0b' });
        adtrail('event', 'by user', { user_id: 'half \ud83d', event_id: 'half \ud83d' });
      });
      const events = await storedAt('/half', 3);
      expect(events.find(({ revenue }) => revenue === 12)).toMatchObject({
        name: 'half \ufffd',
        properties: '{"text":"cut \ufffd","name\ufffd":"a\ufffdb"}',
      });
      // No ID that the site did not give: without one the event counts all the same.
      expect(events.find(({ name }) => name === 'by user')).toMatchObject({ user_id: '' });
      expect(errors).toEqual([]);
    });

    test('leaves out and names what is no JSON, and holds nothing up', async () => {
      const { page, errors, said } = await open('/no-json');
      await page.evaluate(() => {
        const adtrail = (window as unknown as { adtrail: (...rest: unknown[]) => void }).adtrail;
        const circle: Record<string, unknown> = { inside: 1 };
        circle.self = circle;
        const list: unknown[] = [1];
        list.push(list);
        let deep: unknown = 1;
        for (let i = 0; i < 100; i += 1) deep = { deep };
        const shared = { x: 1 };
        const details = {
          revenue: 9,
          plan: 'pro',
          circle,
          list,
          big: BigInt(1),
          cart: { total: BigInt(2), items: [1, BigInt(3)] },
          work: () => 1,
          symbol: Symbol('x'),
          nan: NaN,
          nothing: undefined,
          empty: null,
          date: new Date(0),
          never: new Date(NaN),
          deep,
          many: Array.from({ length: 50_000 }, (_, i) => i),
          page: document.body,
          frame: window,
          twice: [shared, shared],
          toJSON: 'a text',
          get bad() {
            throw new Error('bad getter');
          },
          angry: {
            toJSON() {
              throw new Error('bad toJSON');
            },
          },
        };
        Object.defineProperty(details, '__proto__', { value: { a: 1 }, enumerable: true });
        adtrail('event', 'odd', details);
        adtrail('event', 'after', { fine: true });
      });
      const events = await storedAt('/no-json', 3);
      const odd = events.find(({ name }) => name === 'odd');
      expect(odd?.revenue).toBe(9);
      expect(JSON.parse(odd?.properties ?? '')).toMatchObject({
        plan: 'pro',
        circle: { inside: 1 },
        list: [1, null],
        cart: { items: [1, null] },
        empty: null,
        date: '1970-01-01T00:00:00.000Z',
        twice: [{ x: 1 }, { x: 1 }],
        toJSON: 'a text',
      });
      for (const name of ['big', 'work', 'symbol', 'nan', 'nothing', 'many', 'bad', 'angry'])
        expect(odd?.properties).not.toContain(`"${name}"`);
      expect(events.find(({ name }) => name === 'after')?.properties).toBe('{"fine":true}');
      for (const path of ['circle.self', 'list[1]', 'big', 'cart.total', 'cart.items[1]', 'many', 'bad', 'angry'])
        expect(said).toContainEqual(`adtrail: ${path} is left out`);
      expect(errors).toEqual([]);
    });

    test('that is too large is sent without its properties', async () => {
      const { page, said } = await open('/too-large');
      await send(page, 'event', 'purchase', { revenue: 5, picture: 'x'.repeat(100_000) });
      const events = await storedAt('/too-large', 2);
      expect(events.find(({ name }) => name === 'purchase')).toMatchObject({ revenue: 5, properties: '' });
      expect(said.join('\n')).toContain('properties is left out');
    });

    test('may be any nonsense and throws nothing into the site', async () => {
      const { page, errors } = await open('/nonsense');
      await page.evaluate(() => {
        const adtrail = (window as unknown as { adtrail: (...rest: unknown[]) => void }).adtrail;
        for (const command of [[], ['nonsense'], [null], [{}], ['event'], ['event', ''], ['event', null], ['user']])
          adtrail(...command);
        for (const command of ['constructor', '__proto__', 'toString', Symbol('x')]) adtrail(command);
        adtrail('event', 'text', 'abc');
        adtrail('event', 'list', [1]);
        adtrail('event', 'x'.repeat(300));
        adtrail('event', 7);
        adtrail('user', undefined);
        adtrail('user', { id: 1 });
      });
      const events = await storedAt('/nonsense', 5);
      expect(events.map(({ name }) => name).sort()).toEqual(['', '7', 'list', 'text', 'x'.repeat(255)]);
      expect(new Set(events.map(({ user_id }) => user_id))).toEqual(new Set(['']));
      expect(errors).toEqual([]);
    });

    test('of a page that is loaded again counts once by its event_id', async () => {
      body = `<script>addEventListener('load',()=>setTimeout(()=>{
        adtrail('event','purchase',{event_id:'order-1001',revenue:'49.90'});
        adtrail('event','numbered',{event_id:1002});
        adtrail('event','without',{event_id:''})}))</script>`;
      const { page } = await open('/thanks');
      await storedAt('/thanks', 4);
      await page.reload();
      const events = await storedAt('/thanks', 6);
      await eventually('the queue is empty', async () =>
        (await page.evaluate(() => localStorage.getItem('adtrail_queue'))) === '[]' ? true : undefined,
      );
      const names = (await storedAt('/thanks', events.length)).map(({ name, type }) => name || type);
      expect(names.sort()).toEqual(['numbered', 'page_view', 'page_view', 'purchase', 'without', 'without']);
      expect(events.find(({ name }) => name === 'purchase')).toMatchObject({ event_id: 'order-1001', revenue: 49.9 });
      expect(events.find(({ name }) => name === 'numbered')?.event_id).toBe('1002');
    });

    test('that the collector refuses is named in the console', async () => {
      const { page, said } = await open('/refused');
      await storedAt('/refused', 1);
      await page.evaluate(() => {
        localStorage.setItem('adtrail_queue', JSON.stringify([{ event_id: 'refused-1', name: 'old_event' }]));
      });
      await send(page, 'event', 'good');
      await storedAt('/refused', 2);
      await eventually('it is named', () =>
        said.some((text) => text.startsWith('adtrail: old_event: missing_field type')) ? true : undefined,
      );
    });
  });

  describe('an address', () => {
    test('that loses or changes its query by replaceState alone is no new page view', async () => {
      const { page } = await open('/spa-replace?utm_source=spa&utm_medium=email&tab=1#/');
      await storedAt('/spa-replace', 1);
      await page.evaluate(() => {
        history.replaceState({}, '', '/spa-replace?tab=1#/');
        history.replaceState({}, '', '/spa-replace#/');
        history.replaceState({}, '', '/spa-replace?tab=2#/');
        history.replaceState({}, '', '/spa-replace?tab=2#/?utm_source=spa');
        history.replaceState({}, '', '/spa-replace?tab=2#/');
        history.pushState({}, '', '/spa-replace/next');
      });
      await send(page, 'event', 'last');
      const events = await storedAt('/spa-replace', 3);
      expect(events.filter(({ type }) => type === 'page_view').map(({ url }) => url.replace(origin, ''))).toEqual([
        '/spa-replace?utm_source=spa&utm_medium=email&tab=1#/',
        '/spa-replace/next',
      ]);
      expect(events[1]?.referrer).toBe(`${origin}/spa-replace?tab=2#/`);
      expect(events[0]?.channel).toBe('email');
    });

    test('whose campaign the site has taken out before the script runs has it', async () => {
      head = "<script>history.replaceState({},'',location.pathname)</script>";
      await open('/stripped?utm_source=stripped&utm_medium=email');
      const [event] = await storedAt('/stripped', 1);
      expect(event).toMatchObject({ channel: 'email', source: 'stripped' });
    });

    test.each([
      ['#utm_source=frag&utm_medium=email', 'email'],
      ['#/x?utm_source=frag&utm_medium=email', 'email'],
      ['?utm_source=frag&amp;utm_medium=email', 'email'],
      ['?UTM_SOURCE=frag&UTM_MEDIUM=email', 'email'],
      ['?gad_source=1&gad_campaignid=7', 'google'],
    ])('with the campaign in %s begins a session of its channel', async (campaign, channel) => {
      const mark = `/campaign-${Buffer.from(campaign).toString('hex')}`;
      const { page } = await open(mark);
      const [first] = await storedAt(mark, 1);
      await page.goto('about:blank');
      await page.goto(`${origin}${mark}/landing${campaign}`);
      const [landing] = await storedAt(`${mark}/landing`, 1);
      expect(landing?.channel).toBe(channel);
      expect(landing?.visitor_id).toBe(first?.visitor_id);
      expect(landing?.session_id).not.toBe(first?.session_id);
      await page.reload();
      const again = await storedAt(`${mark}/landing`, 2);
      expect(again[1]?.session_id).toBe(landing?.session_id);
    });

    test('of a hash router is a page by its route', async () => {
      const { page } = await open('/hash#/a');
      await storedAt('/hash', 1);
      await page.evaluate(() => {
        location.hash = '#/b?x=1';
      });
      await storedAt('/hash', 2);
      await page.evaluate(() => {
        location.hash = '#!/c';
      });
      const events = await storedAt('/hash', 3);
      expect(events.map(({ url }) => url.replace(origin, ''))).toEqual(['/hash#/a', '/hash#/b?x=1', '/hash#!/c']);
    });

    test('of a router that uses no history methods is a page', async () => {
      const { page } = await open('/navigation');
      await storedAt('/navigation', 1);
      await page.evaluate(() => {
        type Navigation = {
          addEventListener(name: string, work: (event: { intercept(): void }) => void): void;
          navigate(url: string, options?: { history?: string }): void;
        };
        const { navigation } = window as unknown as { navigation: Navigation };
        navigation.addEventListener('navigate', (event) => event.intercept());
        navigation.navigate('/navigation/next');
      });
      expect((await storedAt('/navigation', 2)).map(({ url }) => url.replace(origin, ''))).toEqual([
        '/navigation',
        '/navigation/next',
      ]);
    });
  });

  describe('a referrer', () => {
    test.each([
      ['https://www.paypal.com/checkoutnow?token=1', ''],
      ['https://checkout.stripe.com/', ''],
      ['https://login.microsoftonline.com/', ''],
      ['https://secure.bank.example/3ds', 'data-excluded-referrers="other.example, https://Bank.example/"'],
      ['https://sso.acme-login.example/', 'data-excluded-referrers="*.acme-login.example"'],
    ])('%s starts no new session, even after an hour', async (referer, more) => {
      attributes = more;
      const mark = `/paid-${Buffer.from(referer).toString('hex').slice(0, 60)}`;
      const { page } = await open(`${mark}?utm_source=news&utm_medium=email`);
      const [first] = await storedAt(mark, 1);
      await rewind(page, 60);
      await page.goto('about:blank');
      await page.goto(`${origin}${mark}/thanks`, { referer });
      const [thanks] = await storedAt(`${mark}/thanks`, 1);
      expect(thanks).toMatchObject({
        visitor_id: first?.visitor_id,
        session_id: first?.session_id,
        referrer: '',
        channel: 'direct',
        source: '',
      });
    });

    test('that is not excluded starts a new session after half an hour', async () => {
      attributes = 'data-excluded-referrers="bank.example"';
      const { page } = await open('/other-referrer');
      const [first] = await storedAt('/other-referrer', 1);
      await rewind(page, 31);
      await page.goto('about:blank');
      await page.goto(`${origin}/other-referrer/later`, { referer: 'https://notbank.example/' });
      const [later] = await storedAt('/other-referrer/later', 1);
      expect(later?.session_id).not.toBe(first?.session_id);
      expect(later).toMatchObject({ channel: 'referral', source: 'notbank.example' });
    });

    test('that is excluded does not hide a new campaign', async () => {
      const { page } = await open('/signed-in?utm_source=a&utm_medium=email');
      const [first] = await storedAt('/signed-in', 1);
      await page.goto(`${origin}/signed-in/b?utm_source=b&utm_medium=email`, { referer: 'https://acme.okta.com/' });
      const [second] = await storedAt('/signed-in/b', 1);
      expect(second).toMatchObject({ visitor_id: first?.visitor_id, source: 'b', channel: 'email', referrer: '' });
      expect(second?.session_id).not.toBe(first?.session_id);
    });

    test('that is empty is no excluded one', async () => {
      const { page } = await open('/no-referrer');
      const [first] = await storedAt('/no-referrer', 1);
      await rewind(page, 31);
      await page.goto(`${origin}/no-referrer/later`);
      const [later] = await storedAt('/no-referrer/later', 1);
      expect(later?.session_id).not.toBe(first?.session_id);
    });
  });

  describe('data-cookie-domain', () => {
    const at = (host: string) => `http://${host}.acme.example:${new URL(origin).port}`;

    test('shares visitor, session and choice over subdomains', async () => {
      attributes = 'data-cookie-domain="acme.example"';
      const { page } = await open(`${at('www')}/shared?utm_source=news&utm_medium=email&gclid=${'x'.repeat(2_000)}`);
      const [first] = await storedAt('/shared', 1);
      await send(page, 'user', 'u-shared');
      const checkout = await open(`${at('checkout')}/shared/pay`);
      const [second] = await storedAt('/shared/pay', 1);
      expect(second).toMatchObject({
        visitor_id: first?.visitor_id,
        session_id: first?.session_id,
        user_id: 'u-shared',
      });
      const [cookie] = await context.cookies(at('other'));
      expect(cookie).toMatchObject({ name: 'adtrail', domain: '.acme.example', path: '/', sameSite: 'Lax' });
      expect(cookie?.value.length).toBeLessThan(400);
      await checkout.page.evaluate(() => (window as unknown as { adtrail: { optOut(): void } }).adtrail.optOut());
      expect((await context.cookies(at('www'))).map(({ name, value }) => [name, value])).toEqual([
        ['adtrail_choice', '2'],
      ]);
      await page.evaluate(() => {
        (window as unknown as { adtrail: (...all: unknown[]) => void }).adtrail('event', 'after opting out');
      });
      expect(await page.evaluate(() => localStorage.getItem('adtrail_queue'))).toBe('[]');
    });

    test('keeps the visitor that localStorage knew before', async () => {
      const { page } = await open(`${at('www')}/before-cookie`);
      const [first] = await storedAt('/before-cookie', 1);
      attributes = 'data-cookie-domain=".acme.example"';
      await page.goto(`${at('www')}/before-cookie/now`);
      await storedAt('/before-cookie/now', 1);
      await page.goto(`${at('shop')}/before-cookie/shop`);
      const [shop] = await storedAt('/before-cookie/shop', 1);
      expect(shop?.visitor_id).toBe(first?.visitor_id);
    });

    test.each(['%', '%7B', '"x"', '%7B%22v%22%3A5%7D', ''])('a poisoned cookie %j loses nothing', async (value) => {
      attributes = 'data-cookie-domain="acme.example"';
      const mark = `/cookie-${Buffer.from(value).toString('hex')}x`;
      const { page, errors } = await open(`${at('www')}${mark}`);
      const [first] = await storedAt(mark, 1);
      await context.clearCookies();
      await page.evaluate((text) => {
        document.cookie = `adtrail=${text};path=/`;
      }, value);
      await page.goto(`${at('www')}${mark}/next`);
      const [next] = await storedAt(`${mark}/next`, 1);
      expect(next).toMatchObject({ visitor_id: first?.visitor_id, session_id: first?.session_id });
      expect(errors).toEqual([]);
    });

    test('of another site is no cookie, and the visitor stays', async () => {
      attributes = 'data-cookie-domain="other.example"';
      const { page } = await open(`${at('www')}/wrong-domain`);
      const [first] = await storedAt('/wrong-domain', 1);
      await page.goto(`${at('www')}/wrong-domain/next`);
      const [next] = await storedAt('/wrong-domain/next', 1);
      expect(next?.visitor_id).toBe(first?.visitor_id);
      expect(await context.cookies()).toEqual([]);
    });

    test('keeps the visitor where the storage is forbidden', async () => {
      attributes = 'data-cookie-domain="acme.example"';
      await context.addInitScript(() => Object.defineProperty(window, 'localStorage', { value: null }));
      const { page } = await open(`${at('www')}/cookie-only`);
      const [first] = await storedAt('/cookie-only', 1);
      await page.goto(`${at('www')}/cookie-only/next`);
      const [next] = await storedAt('/cookie-only/next', 1);
      expect(next).toMatchObject({ visitor_id: first?.visitor_id, session_id: first?.session_id });
    });
  });

  describe('a page', () => {
    test('whose monitoring adds headers to every request is measured', async () => {
      head = `<script>{const original=window.fetch;window.fetch=(input,init={})=>original(input,{...init,headers:{
        ...init.headers,traceparent:'00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
        baggage:'sentry-environment=production','sentry-trace':'4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-1',
        'x-datadog-trace-id':'1',authorization:'Bearer x','X-Requested-With':'XMLHttpRequest'}})}</script>`;
      const beacons: string[] = [];
      context.on('request', (request) => request.resourceType() === 'ping' && beacons.push(request.url()));
      const { page, errors } = await open('/monitored');
      await send(page, 'event', 'one');
      await storedAt('/monitored', 2);
      expect(beacons).toEqual([]);
      expect(errors).toEqual([]);
    });

    test.each([
      ['throws', 'window.fetch=()=>{throw new Error("wrapped")}'],
      ['reads headers that are not there', 'window.fetch=(input,init)=>{init.headers.traceparent="x"}'],
      ['returns nothing', 'window.fetch=()=>undefined'],
      ['is gone', 'window.fetch=undefined'],
    ])('whose fetch %s sends by beacon as it goes, and hears no error', async (how, code) => {
      const mark = `/fetch-${how.replaceAll(' ', '-')}`;
      head = `<script>${code}</script>`;
      const { page, errors } = await open(mark);
      await eventually('the script has started', async () => (await readState(page)) ?? undefined);
      await send(page, 'event', 'one');
      await page.goto('about:blank');
      await storedAt(mark, 2);
      expect(errors).toEqual([]);
    });

    test('with a strict Content-Security-Policy is measured', async () => {
      const nonce = 'n0nce';
      headers = {
        'content-security-policy':
          `default-src 'none'; script-src 'nonce-${nonce}' 'strict-dynamic'; connect-src ${service.url}; ` +
          "require-trusted-types-for 'script'; base-uri 'none'",
      };
      attributes = `nonce="${nonce}"`;
      const { errors, said } = await open('/csp');
      await storedAt('/csp', 1);
      expect(errors).toEqual([]);
      // The stub without a nonce is refused by the policy; of the script itself nothing is.
      expect(said.filter((text) => text.includes('/adtrail.js') || text.includes('/collect/'))).toEqual([]);
    });

    test('that may connect to nobody hears no error', async () => {
      headers = { 'content-security-policy': "connect-src 'none'" };
      const { page, errors } = await open('/csp-none');
      await eventually('the script has started', async () => (await readState(page)) ?? undefined);
      await eventually('it has tried', async () =>
        (await page.evaluate(() => localStorage.getItem('adtrail_queue') ?? '')).includes('csp-none')
          ? true
          : undefined,
      );
      await page.goto('about:blank');
      expect(errors).toEqual([]);
    });

    test('with an old Prototype.js is measured', async () => {
      head = `<script>
        Array.prototype.toJSON=function(){return '['+this.join(', ')+']'};
        String.prototype.toJSON=function(){return '"'+this+'"'};
        Object.prototype.toJSON=function(){return 'object'};
        Array.from=function(iterable){if(!iterable)return[];var length=iterable.length||0,results=new Array(length);
          while(length--)results[length]=iterable[length];return results};
        Array.prototype.each=Array.prototype.forEach;
      </script>`;
      const { page, errors } = await open('/prototype?utm_source=proto&utm_medium=email');
      await send(page, 'event', 'purchase', { revenue: '5', items: ['a', { b: [1, 2] }] });
      const events = await storedAt('/prototype', 2);
      expect(events.find(({ name }) => name === 'purchase')).toMatchObject({
        revenue: 5,
        properties: '{"items":["a",{"b":[1,2]}]}',
        channel: 'email',
      });
      expect(await page.evaluate(() => localStorage.getItem('adtrail_queue'))).toBe('[]');
      expect(errors).toEqual([]);
    });

    test('whose beacons are refused sends with keepalive as it goes', async () => {
      head = '<script>navigator.sendBeacon=()=>false</script>';
      const { page } = await open('/no-beacon');
      await storedAt('/no-beacon', 1);
      await page.evaluate(() => {
        addEventListener('pagehide', () => undefined);
        const adtrail = (window as unknown as { adtrail: (...rest: unknown[]) => void }).adtrail;
        addEventListener('beforeunload', () => adtrail('event', 'farewell'));
      });
      await page.goto('about:blank');
      expect((await storedAt('/no-beacon', 2)).map(({ name }) => name)).toContain('farewell');
    });

    test('whose other scripts use up what keepalive takes sends without it', async () => {
      head = `<script>{const original=window.fetch;window.kept=0;window.fetch=(input,init={})=>{
        if(init.keepalive){window.kept+=1;return Promise.reject(new TypeError('Failed to fetch'))}
        return original(input,init)}}</script>`;
      const { page } = await open('/keepalive');
      await storedAt('/keepalive', 1);
      expect(await page.evaluate(() => (window as unknown as { kept: number }).kept)).toBe(1);
    });

    test('that records more than 64 kB at once loses none of it', async () => {
      const { page } = await open('/many');
      await page.evaluate(() => {
        const adtrail = (window as unknown as { adtrail: (...rest: unknown[]) => void }).adtrail;
        for (let i = 0; i < 40; i += 1) adtrail('event', `many-${i}`, { text: 'ü'.repeat(4_000) });
      });
      const events = await storedAt('/many', 41);
      expect(new Set(events.map(({ event_id }) => event_id)).size).toBe(41);
    });

    test('that comes back from the back/forward cache is viewed again', async () => {
      const { page } = await open('/bfcache');
      await storedAt('/bfcache', 1);
      await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
      const events = await storedAt('/bfcache', 2);
      expect(new Set(events.map(({ session_id }) => session_id)).size).toBe(1);
    });

    test('says when it sent what happened earlier', async () => {
      const bodies: { sent_at: string; events: { time: string }[] }[] = [];
      await context.route('**/collect/v1/web?*', (route) => {
        bodies.push(JSON.parse(route.request().postData() ?? '{}') as (typeof bodies)[number]);
        return bodies.length === 1 ? route.fulfill({ status: 503 }) : route.continue();
      });
      await open('/sent-at');
      await storedAt('/sent-at', 1);
      const sent = bodies.map(({ sent_at }) => sent_at);
      for (const time of sent) expect(new Date(time).toISOString()).toBe(time);
      expect(Date.parse(sent[1] as string)).toBeGreaterThan(Date.parse(sent[0] as string));
      expect(bodies[1]?.events[0]?.time).toBe(bodies[0]?.events[0]?.time);
    });
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
      const events = await storedBy(v, 2);
      expect(events.map(({ type, name }) => name || type).sort()).toEqual(['before', 'page_view']);
      expect(events.find(({ name }) => name === 'before')?.user_id).toBe('user-consent');
      // Another page of the website need not ask again.
      await page.click('#next');
      await storedBy(v, 3);
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
      await storedBy(v, 1);
      await call(page, 'optOut');
      await track(page, 'out');
      await page.waitForTimeout(500);
      expect(await kept(page)).toEqual(['adtrail_choice']);
      await call(page, 'optIn');
      await track(page, 'in');
      const again = await ready();
      expect(again.v).not.toBe(v);
      expect((await storedBy(again.v, 1)).map(({ name }) => name)).toEqual(['in']);
      expect(await stored(v)).toHaveLength(1);
    });
  });
});
