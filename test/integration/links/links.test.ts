/** Tracking links as the service serves and stores them; the rules are in test/unit/links/tracking-links.test.ts. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { inBrowser, launch, wholeBrowser } from '../../support/chromium';
import {
  openLink,
  readClickId,
  readClicks,
  eventuallyClicks,
  linksWorkspace,
  ANDROID,
  APP_STORE,
  DESKTOP,
  DOMAIN,
  GOOGLEBOT,
  IPHONE,
  LINKS_KEY,
  PLAY,
  PROJECT_WEBSITE,
  type Opening,
} from '../../support/links/links';
import { ownNames } from '../../support/workspace/own-names';
import { idByName } from '../../support/s2s/s2s-client';
import { exchange } from '../../support/s2s/s2s-raw';
import { ADMIN_TOKEN, eventually } from '../../support/service';
import { sharedService } from '../../support/shared-service';

const GAID = '38400000-8cf0-11bd-b23e-10b96e40000d';
const IDFA = '6D92078A-8246-4BA4-AE5B-76104861E7DC';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const service = sharedService();
const own = ownNames('links');
let projectId: number;
const headersOfKey = { 'service-key': own(LINKS_KEY), 'Content-Type': 'application/json' };
let marks = 0;
const newMark = () => `links-mark-${marks++}`;
const open = (path: string, { host = DOMAIN, ...opening }: Opening = {}) =>
  openLink(service, path, { host: own(host), ...opening });
const total = async () =>
  (
    await service.rows<{ n: number }>(
      `SELECT toUInt32(count()) AS n FROM analytics.clicks WHERE kind = 'link' AND project_id = ${projectId}`,
    )
  )[0]?.n as number;
const metrics = async () =>
  (await service.request('/metrics', { headers: { Authorization: `Bearer ${ADMIN_TOKEN}` } })).text();

beforeAll(async () => {
  await service.apply(own.document(linksWorkspace));
  projectId = await idByName(service, 'projects', own('Links'));
});

describe('which campaign', () => {
  test('the host, in any case and with a port, is the domain of a click', async () => {
    const mark = newMark();
    expect(await open(`/any/path?c=website&s2=${mark}`, { host: `${DOMAIN}:8080`, ua: DESKTOP })).toMatchObject({
      status: 302,
      location: 'https://acme.example/campaign?utm_id=website',
      text: '',
      headers: { 'cache-control': 'no-store' },
    });
    expect(await eventuallyClicks(service, mark, 1)).toMatchObject([
      { campaign_display_id: 'website', kind: 'link', d: own(DOMAIN) },
    ]);
    const [before, answer] = [await total(), await open('/unknown')];
    expect([answer.location, await total()]).toEqual([PROJECT_WEBSITE, before]);
  });

  test('the system campaign has a link like any other', async () => {
    const list = (await service.admin('GET', `/projects/${projectId}/campaigns`)).body.campaigns;
    const { display_id } = (list as { name: string; display_id: string }[]).find(
      ({ name }) => name === 'MAIN_DOMAIN',
    ) as { display_id: string };
    expect((await open(`/${display_id}`, { ua: DESKTOP })).location).toBe(`${PROJECT_WEBSITE}?utm_id=${display_id}`);
  });

  // Which other paths are none: test/unit/links/tracking-links.test.ts.
  test('a path of the API is never a link', async () => {
    const before = await total();
    expect((await open('/admin/v1/projects?c=website')).status).toBe(404);
    expect(await total()).toBe(before);
  });

  test('a deleted campaign leads to the website of the project without a click', async () => {
    const created = await service.request('/api/v1/create-campaign', {
      method: 'POST',
      headers: headersOfKey,
      body: JSON.stringify({
        name: 'Short',
        custom_display_id: 'short',
        link_for_desktop_users: 'https://acme.example/short',
      }),
    });
    expect(created.status).toBe(201);
    expect((await open('/short', { ua: DESKTOP })).location).toBe('https://acme.example/short?utm_id=short');
    expect((await service.request('/api/v1/campaigns/short', { method: 'DELETE', headers: headersOfKey })).status).toBe(
      204,
    );
    const before = await total();
    expect((await open('/short', { ua: DESKTOP })).location).toBe(PROJECT_WEBSITE);
    expect(await total()).toBe(before);
  });

  test('an edit is in force before it is answered', async () => {
    for (let i = 0; i < 2; i++) {
      const edit = await service.request('/api/v1/campaigns/edited', {
        method: 'PATCH',
        headers: headersOfKey,
        body: JSON.stringify({
          website: `https://acme.example/${i}`,
          ios_web_redirect: i % 2 ? `https://acme.example/ios${i}` : null,
        }),
      });
      expect(edit.status).toBe(200);
      expect((await open('/edited', { ua: DESKTOP })).location).toBe(`https://acme.example/${i}?utm_id=edited`);
      expect((await open('/edited', { ua: IPHONE })).location).toBe(
        `https://acme.example/${i % 2 ? `ios${i}` : i}?utm_id=edited`,
      );
    }
  });
});

describe('where to', () => {
  test('what is configured, on each platform', async () => {
    const [ios, desktop] = [await open('/all', { ua: IPHONE }), await open('/stores?utm_source=a', { ua: DESKTOP })];
    expect([ios.location, desktop.location]).toEqual([
      'https://acme.example/ios?utm_id=all',
      'https://acme.example/campaign?utm_source=a&utm_id=stores',
    ]);
    expect((await open('/stores', { ua: IPHONE })).location).toBe(APP_STORE);
    // A listing without a URL leads nowhere, and the project's are for campaigns without listings.
    expect((await open('/urlless', { ua: IPHONE })).location).toBe(`${PROJECT_WEBSITE}?utm_id=urlless`);
    expect((await open('/bare', { host: 'go.bare.example', ua: IPHONE })).location).toBe(APP_STORE);
    expect((await open('/bareplay', { host: 'go.bare.example', ua: IPHONE })).status).toBe(404);
  });

  test('the Play referrer names the click', async () => {
    const mark = newMark();
    const { location } = await open(`/odd?s2=${mark}`);
    expect(location).toContain('details?id=com.acme.shop&referrer=svc_ia_id%3D');
    expect(await eventuallyClicks(service, mark, 1)).toMatchObject([{ click_id: readClickId(location) }]);
  });
});

describe('what is recorded', () => {
  test('every parameter, and the client', async () => {
    const mark = newMark();
    const sent: Record<string, string> = {
      tid: `tid of ${mark}`,
      s2: mark,
      s3: 'three',
      s4: 'four',
      gaid: GAID.toUpperCase(),
      idfa: IDFA,
      ad_set_id: '1',
      ad_set_name: 'Set ü',
      ad_id: '2',
      ad_name: 'Ad',
      keyword_id: '3',
      keyword_name: 'shoes',
      utm_source: 'news',
      utm_medium: 'email',
      utm_campaign: 'spring',
      utm_id: '77',
      utm_content: 'top',
      utm_term: 'boots',
      gclid: 'g1',
      gbraid: 'g2',
      wbraid: 'g3',
      dclid: 'g4',
      fbclid: 'f1',
      ttclid: 't1',
      msclkid: 'm1',
      twclid: 'x1',
      li_fat_id: 'l1',
      ScCid: 's1',
      epik: 'p1',
      rdt_cid: 'r1',
    };
    const before = Date.now();
    await open(`/?c=all&${new URLSearchParams(sent).toString()}`, {
      headers: { 'X-Forwarded-For': '10.0.0.1, 203.0.113.9' },
    });
    const { ScCid, ...rest } = sent;
    const [click, ...more] = await eventuallyClicks(service, mark, 1);
    expect(more).toEqual([]);
    expect(click).toMatchObject({
      ...rest,
      sccid: ScCid,
      gaid: GAID,
      idfa: IDFA.toLowerCase(),
      kind: 'link',
      app_id: '',
      d: own(DOMAIN),
      ip: '203.0.113.9',
      ua: ANDROID,
      partner_name: own('Mobi Ads'),
      campaign_name: 'Campaign all',
    });
    const milliseconds = (time: unknown) => Date.parse(`${String(time).replace(' ', 'T').replace('Z', '')}Z`);
    // Received when the log takes it, a moment after it was opened.
    const waited = milliseconds(click?.received_at) - milliseconds(click?.click_time);
    expect(waited).toBeGreaterThanOrEqual(0);
    expect(waited).toBeLessThan(1_000);
    expect(Math.abs(milliseconds(click?.click_time) - before)).toBeLessThan(30_000);
  });

  test('nothing but what was sent', async () => {
    const mark = newMark();
    await open(`/?c=plain&s2=${mark}`, { ua: '', headers: { 'X-Forwarded-For': '10.1.2.3' } });
    const [click] = await eventuallyClicks(service, mark, 1);
    expect(click).toMatchObject({
      tid: '',
      s3: '',
      gaid: null,
      idfa: null,
      ip: '',
      ua: '',
      utm_source: '',
      gclid: '',
      partner_id: 0,
      partner_name: '',
    });
  });

  test('what no text should hold is stored as it came', async () => {
    const mark = newMark();
    await open(`/?c=website&s2=${mark}&s3=a%00b%22%5C%27;--&s4=%zz%E0%A4%A&gaid=nonsense&ad_name={name}`);
    expect(await eventuallyClicks(service, mark, 1)).toMatchObject([
      { s3: 'a\u0000b"\\\';--', s4: '%zz\uFFFD%A', gaid: null, ad_name: '' },
    ]);
  });

  test('a legal link of nearly 8 kB; one of 100 kB is refused', async () => {
    const mark = newMark();
    const ofCharacters = (n: number) => open(`/?c=website&s2=${mark}&s3=${'%F0%9F%98%80'.repeat(n)}`);
    expect((await ofCharacters(670)).status).toBe(302);
    expect((await ofCharacters(8_000)).status).toBe(431);
    expect(await eventuallyClicks(service, mark, 1)).toMatchObject([{ s3: '😀'.repeat(256) }]);
  });

  test('bytes that are no UTF-8 in the path', async () => {
    const port = Number(new URL(service.url).port);
    const [answer] = await exchange(
      port,
      Buffer.from(`GET /caf\xe9?c=website HTTP/1.1\r\nHost: ${DOMAIN}\r\nConnection: close\r\n\r\n`, 'latin1'),
    );
    expect([302, 400]).toContain(answer?.status);
  });

  test('a random ID for each visit without tid, and the first click of a tid', async () => {
    const mark = newMark();
    const ids = new Set<string | undefined>();
    for (let i = 0; i < 3; i++) ids.add(readClickId((await open(`/stores?s2=${mark}`)).location));
    expect(ids.size).toBe(3);
    for (const id of ids) expect(id).toMatch(UUID);
    const same = newMark();
    const again = await Promise.all(
      ['tid', 'click_id', 'tid'].map(async (name, i) =>
        readClickId((await open(`/stores?s2=${same}&s3=${i}&${name}=${same}`)).location),
      ),
    );
    expect(new Set(again).size).toBe(1);
    expect(await eventuallyClicks(service, same, 1)).toMatchObject([{ tid: same, click_id: again[0] }]);
  });

  test('a link cannot pre-empt the tid of a partner', async () => {
    const mark = newMark();
    await open(`/all?s2=${mark}&tid=${mark}`);
    const s2s = await service.request(`/v1/click/com.acme.shop?c=all&tid=${mark}&s2=${mark}&ip=203.0.113.7`, {
      headers: { 'X-Service-Token': own('token-of-mobi-ads') },
    });
    const { click_id } = (await s2s.json()) as { click_id: string };
    const rows = await eventuallyClicks(service, mark, 2);
    expect(rows.map((row) => row.kind).sort()).toEqual(['link', 's2s']);
    expect(new Set(rows.map((row) => row.click_id)).size).toBe(2);
    // Columns of links are empty in what partners report.
    expect(rows.find((row) => row.click_id === click_id)).toMatchObject({
      kind: 's2s',
      utm_source: '',
      gclid: '',
      ad_set_id: '',
    });
  });

  test('HEAD and bots are redirected and not counted', async () => {
    const mark = newMark();
    const head = await open(`/stores?s2=${mark}`, { method: 'HEAD' });
    expect(head).toMatchObject({ status: 302, location: PLAY, text: '' });
    expect(await open(`/stores?s2=${mark}`, { ua: GOOGLEBOT })).toMatchObject({
      status: 302,
      location: 'https://acme.example/campaign?utm_id=stores',
    });
    expect(await readClicks(service, mark)).toEqual([]);
  });

  test.each([
    [
      'UC Browser Mini',
      'UCWEB/2.0 (MIDP-2.0; U; Adr 9.0.0; en-US; SM-J400F) U2/1.0.0 UCBrowser/10.9.9 Mobile',
      'ANDROID',
    ],
    [
      'an iPad that says Macintosh',
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148',
      'IOS',
    ],
    ['an app on iOS', 'Acme/4.2 (com.acme.shop; build:1; iOS 17.4.0) Alamofire/5.9.0', 'IOS'],
    [
      'a Windows Phone',
      'Mozilla/5.0 (Windows Phone 10.0; Android 6.0.1; Microsoft; Lumia 950) Mobile Edge/15.15254',
      '',
    ],
  ])('%s: the platform that its clicks count for', async (name, ua, platform) => {
    await open(`/stores?s2=${encodeURIComponent(`platform of ${name}`)}`, {
      ua,
    });
    expect(await service.rows(`SELECT platform FROM adtrail.clicks WHERE s2 = 'platform of ${name}'`)).toEqual([
      { platform },
    ]);
  });
});

describe('the files of a domain', () => {
  const json = async (path: string, opening?: Opening) => JSON.parse((await open(path, opening)).text) as unknown;

  test('an app that gets its bundle is there at once', async () => {
    const bare = {
      name: 'Bare',
      account: 'Acme',
      timezone: 'UTC',
      apps: [{ platform: 'IOS', app_id: '77', team_id: 'TEAM777777', bundle_id: 'example.bare' }],
    };
    await service.apply(own.document({ projects: [bare] }));
    expect(await json('/.well-known/apple-app-site-association', { host: 'go.bare.example' })).toMatchObject({
      applinks: { details: [{ appIDs: ['TEAM777777.example.bare'] }] },
    });
  });

  test('identifiers in other spellings are served as Apple, Google and browsers compare them', async () => {
    const project = {
      name: 'Spelt',
      account: 'Acme',
      timezone: 'UTC',
      website: 'https://acme.example/spelt',
      apps: [
        { platform: 'IOS', app_id: '88', team_id: 'TEAM888888', bundle_id: 'example.Spelt-88' },
        {
          platform: 'ANDROID',
          app_id: 'com.acme.Spelt',
          sha256_cert_fingerprints: ['ab'.repeat(32), Array(32).fill('cD').join(':')],
        },
      ],
      domains: [{ name: 'Go.B\u00fccher.Example.', primary: true }],
      campaigns: [{ display_id: 'spelt', name: 'Spelt', domain: 'go.b\u00fccher.example' }],
    };
    await service.apply(own.document({ projects: [project] }));
    const host = 'go.xn--bcher-kva.example';
    expect(await json('/.well-known/apple-app-site-association', { host })).toMatchObject({
      applinks: { details: [{ appIDs: ['TEAM888888.example.Spelt-88'] }] },
    });
    expect(await json('/.well-known/assetlinks.json', { host })).toMatchObject([
      {
        target: {
          package_name: 'com.acme.Spelt',
          sha256_cert_fingerprints: [Array(32).fill('AB').join(':'), Array(32).fill('CD').join(':')],
        },
      },
    ]);
    for (const spelling of [host, `${host}.`, host.toUpperCase(), `${host}.:8080`])
      expect(await open('/spelt', { host: spelling, ua: DESKTOP })).toMatchObject({
        status: 302,
        location: 'https://acme.example/spelt?utm_id=spelt',
      });
    expect(await service.rows(`SELECT DISTINCT d FROM analytics.clicks WHERE d LIKE '%xn--bcher-kva%'`)).toEqual([
      { d: own(host) },
    ]);
    const { body } = await service.admin('PUT', '/workspace', own.document({ projects: [project] }));
    expect(body).toMatchObject({ created: 0, updated: 0 });
  });

  test('are on tracking domains only, as are codes', async () => {
    for (const path of ['/.well-known/assetlinks.json', '/.well-known/apple-app-site-association', '/qr?c=website']) {
      expect((await open(path)).status).toBe(200);
      expect((await openLink(service, path, { host: 'localhost' })).status).toBe(404);
    }
  });
});

inBrowser(
  'links that Chromium loads ahead',
  () => {
    let site: http.Server;
    let browser: Browser;
    let port: number;
    beforeAll(async () => {
      const link = (mark: string) => `http://${own(DOMAIN)}:${new URL(service.url).port}/ahead?s2=${mark}`;
      site = http.createServer((request, response) => {
        const [, kind = '', mark = ''] = (request.url as string).split(/[/?]/);
        const rules = JSON.stringify({ [kind]: [{ source: 'list', urls: [link(mark)], eagerness: 'immediate' }] });
        const ahead =
          kind === 'link'
            ? `<link rel="prefetch" href="${link(mark)}">`
            : `<script type="speculationrules">${rules}</script>`;
        response.setHeader('Content-Type', 'text/html');
        response.end(kind === 'landing' ? '<h1>Landed</h1>' : `${ahead}<a href="${link(mark)}">Shop</a>`);
      });
      await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
      ({ port } = site.address() as AddressInfo);
      await service.apply(
        own.document({
          projects: [
            {
              name: 'Links',
              account: 'Acme',
              timezone: 'UTC',
              campaigns: [{ display_id: 'ahead', name: 'Ahead', website: `http://127.0.0.1:${port}/landing` }],
            },
          ],
        }),
      );
      const args = [
        `--host-resolver-rules=MAP ${own(DOMAIN)} 127.0.0.1`,
        `--unsafely-treat-insecure-origin-as-secure=http://${own(DOMAIN)}:${new URL(service.url).port}`,
        `--user-agent=${DESKTOP}`,
      ];
      // One without windows takes what it has loaded ahead, where people's ask again.
      browser = await launch(args, wholeBrowser);
    });
    afterAll(async () => {
      await browser?.close();
      site?.close();
    });

    // `link` is <link rel=prefetch>, the others are speculation rules.
    const prefetches = async () =>
      Number(/^adtrail_link_requests_total\{outcome="prefetch"\} (\d+)$/m.exec(await metrics())?.[1] ?? 0);

    test.each(['link', 'prefetch', 'prerender'])('by %s: a visit after it is the one click', async (kind) => {
      const before = await prefetches();
      const page = await (await browser.newContext()).newPage();
      await page.goto(`http://127.0.0.1:${port}/${kind}/ahead-${kind}`);
      await eventually('it is loaded ahead', async () => ((await prefetches()) > before ? true : undefined));
      const clicksOfPage = () =>
        service.rows<{ n: number }>(`SELECT 1 FROM analytics.clicks WHERE s2 = 'ahead-${kind}'`);
      expect(await clicksOfPage()).toHaveLength(0);
      await page.getByText('Shop').click();
      await page.getByText('Landed').waitFor();
      expect(await clicksOfPage()).toHaveLength(1);
      await page.context().close();
    });
  },
  wholeBrowser,
);

test('every column has a comment', async () => {
  expect(
    await service.rows(
      `SELECT database, table, name
       FROM system.columns
       WHERE database IN ('adtrail', 'analytics') AND table = 'clicks' AND comment = ''`,
    ),
  ).toEqual([]);
});
