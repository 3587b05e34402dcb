/** Tracking links over HTTP (docs/contract.md, Tracking links): which campaign, where to, and what is recorded. */
import {
  openLink,
  clickIdOf,
  clicksOf,
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
} from '../support/links';
import { ADMIN_TOKEN, eventually, startService, type RunningService } from '../support/service';
import { exchange } from '../support/s2s-raw';

const GAID = '38400000-8cf0-11bd-b23e-10b96e40000d';
const IDFA = '6D92078A-8246-4BA4-AE5B-76104861E7DC';
const NO_UUID = '00000000-0000-0000-0000-000000000000';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

let service: RunningService;
let marks = 0;
const newMark = () => `mark-${marks++}`;
const open = (path: string, opening?: Opening) => openLink(service, path, opening);
const total = async () =>
  (await service.rows<{ n: number }>("SELECT toUInt32(count()) AS n FROM analytics.clicks WHERE kind = 'link'"))[0]
    ?.n as number;

beforeAll(async () => {
  service = await startService({ TRUST_PROXY: '1' });
  await service.apply(linksWorkspace);
  await eventually('the names are copied', async () =>
    (await service.rows('SELECT 1 FROM adtrail.campaigns')).length > 0 ? true : undefined,
  );
});
afterAll(() => service?.dispose());

describe('which campaign', () => {
  test.each([
    '/?c=website',
    '/website',
    '/website/',
    '/any/path/at%20all?c=website',
    '/all?c=website',
    '/?x=1&c=website&c=all',
    '/website?c=',
    '/?%63=website',
    '//evil.example/?c=website',
    '/v1x/click?c=website',
    '/docs/start?c=website',
    '/admin?c=website',
  ])('%s is a link', async (path) => {
    const mark = newMark();
    const answer = await open(`${path}${path.includes('?') ? '&' : '?'}s2=${mark}`, { ua: DESKTOP });
    expect(answer).toMatchObject({ status: 302, location: 'https://acme.example/campaign?utm_id=website', text: '' });
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(await clicksOf(service, mark)).toMatchObject([{ campaign_display_id: 'website', kind: 'link', d: DOMAIN }]);
  });

  test('on any domain of the project, in any case, with a port', async () => {
    for (const host of ['alt.acme.example', 'GO.Acme.Example', `${DOMAIN}:8080`]) {
      const mark = newMark();
      expect((await open(`/?c=website&s2=${mark}`, { host, ua: DESKTOP })).location).toBe(
        'https://acme.example/campaign?utm_id=website',
      );
      expect(await clicksOf(service, mark)).toMatchObject([{ d: host.toLowerCase().replace(':8080', '') }]);
    }
    expect((await open('/?c=alt', { ua: DESKTOP })).location).toBe(`${PROJECT_WEBSITE}?utm_id=alt`);
  });

  test('the system campaign has a link like any other', async () => {
    const { body } = await service.admin('GET', '/projects');
    const { id } = (body.projects as { id: number; name: string }[]).find((one) => one.name === 'Links') as {
      id: number;
    };
    const campaigns = (await service.admin('GET', `/projects/${id}/campaigns`)).body.campaigns as {
      name: string;
      display_id: string;
    }[];
    const { display_id } = campaigns.find((one) => one.name === 'MAIN_DOMAIN') as { display_id: string };
    const mark = newMark();
    expect((await open(`/${display_id}?s2=${mark}`, { ua: DESKTOP })).location).toBe(
      `${PROJECT_WEBSITE}?utm_id=${display_id}`,
    );
    expect(await clicksOf(service, mark)).toHaveLength(1);
  });

  test.each([
    '/',
    '/?c=',
    '/?c=unknown',
    '/unknown',
    '/?c=theirs',
    '/?c=inactive',
    '/inactive',
    '/a/b/c',
    '/?c=WEBSITE',
    '/?c=web%00site',
    '/?c=%E0%A4%A',
    '/healthz',
    '/metrics',
    `/?c=${'x'.repeat(5000)}`,
  ])('%s leads to the website of the project without a click', async (path) => {
    const before = await total();
    expect(await open(path)).toMatchObject({ status: 302, location: PROJECT_WEBSITE });
    expect(await total()).toBe(before);
  });

  test.each(['/', '/?c=unknown', '/?c=website', '/?c=links', '/website'])(
    '%s of a project without website is 404',
    async (path) => {
      const before = await total();
      const answer = await open(path, { host: 'go.bare.example' });
      expect(answer.status).toBe(404);
      expect(JSON.parse(answer.text)).toEqual({ msg: 'Not found.', status: 404 });
      expect(await total()).toBe(before);
    },
  );

  test.each([
    '/collect/v1/nothing?c=website',
    '/.well-known/nothing?c=website',
    '/v1/click?c=website&tid=1',
    '/api/v1/campaigns?c=website',
    '/admin/v1/projects?c=website',
  ])('%s is never a link', async (path) => {
    const before = await total();
    expect((await open(path)).status).toBe(404);
    expect(await total()).toBe(before);
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('%s is 405', async (method) => {
    const answer = await open('/?c=website', { method });
    expect(answer).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
    expect(JSON.parse(answer.text)).toEqual({ msg: 'Method not allowed.', status: 405 });
  });

  test('a deleted campaign leads to the website of the project without a click', async () => {
    const headers = { 'service-key': LINKS_KEY, 'Content-Type': 'application/json' };
    const created = await service.request('/api/v1/create-campaign', {
      method: 'POST',
      headers,
      body: JSON.stringify({
        name: 'Short',
        custom_display_id: 'short',
        link_for_desktop_users: 'https://acme.example/short',
      }),
    });
    expect(created.status).toBe(201);
    expect((await open('/short', { ua: DESKTOP })).location).toBe('https://acme.example/short?utm_id=short');
    expect((await service.request('/api/v1/campaigns/short', { method: 'DELETE', headers })).status).toBe(204);
    const before = await total();
    expect((await open('/short', { ua: DESKTOP })).location).toBe(PROJECT_WEBSITE);
    expect(await total()).toBe(before);
  });

  test('an edit is in force before it is answered', async () => {
    for (let i = 0; i < 5; i++) {
      const edit = await service.request('/api/v1/campaigns/edited', {
        method: 'PATCH',
        headers: { 'service-key': LINKS_KEY, 'Content-Type': 'application/json' },
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
  const play =
    /^https:\/\/play\.google\.com\/store\/apps\/details\?id=com\.acme\.shop&referrer=svc_ia_id%3D[0-9a-f-]{36}$/;

  test.each([
    [
      'all',
      'https://acme.example/ios?utm_id=all',
      'https://acme.example/android?utm_id=all',
      'https://acme.example/campaign?utm_id=all',
    ],
    ['stores', APP_STORE, play, 'https://acme.example/campaign?utm_id=stores'],
    ['onlystores', APP_STORE, play, `${PROJECT_WEBSITE}?utm_id=onlystores`],
    ['website', ...Array<string>(3).fill('https://acme.example/campaign?utm_id=website')],
    ['plain', APP_STORE, play, `${PROJECT_WEBSITE}?utm_id=plain`],
    ['urlless', ...Array<string>(3).fill(`${PROJECT_WEBSITE}?utm_id=urlless`)],
    ['ios-only', 'https://acme.example/ios?utm_id=ios-only', play, `${PROJECT_WEBSITE}?utm_id=ios-only`],
    ['deep', ...Array<string>(3).fill('https://acme.example/campaign?utm_id=deep')],
  ])('%s', async (displayId, ...expected) => {
    for (const [i, ua] of [IPHONE, ANDROID, DESKTOP].entries()) {
      expect((await open(`/?c=${displayId}`, { ua })).location).toEqual(
        typeof expected[i] === 'string' ? expected[i] : expect.stringMatching(expected[i] as RegExp),
      );
    }
  });

  test('without a website: a store on a desktop as configured, nothing where the platform has none', async () => {
    const host = 'go.bare.example';
    expect((await open('/barestores', { host, ua: DESKTOP })).location).toBe(APP_STORE);
    expect((await open('/bareplay', { host, ua: DESKTOP })).location).toBe(PLAY);
    expect((await open('/bareplay', { host, ua: ANDROID })).location).toMatch(play);
    expect((await open('/bareplay', { host, ua: IPHONE })).status).toBe(404);
  });

  test("a campaign without listings leads to its project's own", async () => {
    const host = 'go.bare.example';
    expect((await open('/bare', { host, ua: IPHONE })).location).toBe(APP_STORE);
    const mark = newMark();
    const { location } = await open(`/bare?s2=${mark}`, { host, ua: ANDROID });
    expect(location).toMatch(play);
    expect(await clicksOf(service, mark)).toMatchObject([
      { campaign_display_id: 'bare', click_id: clickIdOf(location) },
    ]);
    expect((await open('/bare', { host, ua: DESKTOP })).location).toBe(PLAY);
  });

  test('the Play referrer names the click, replaces a configured one, and leaves the rest', async () => {
    const mark = newMark();
    const { location } = await open(`/odd?s2=${mark}&utm_source=x`);
    const [click] = await clicksOf(service, mark);
    expect(location).toBe(
      `https://play.google.com/store/apps/details?id=com.acme.shop&referrer=svc_ia_id%3D${String(click?.click_id)}` +
        '&hl=de#top',
    );
  });

  test("web targets get utm_id and the link's own UTM parameters, unless configured", async () => {
    const go = async (path: string) => (await open(path, { ua: DESKTOP })).location;
    expect(
      await go(
        '/utm?utm_source=mine&utm_medium=email&utm_campaign=a%20b%26c%3Dd&utm_creative_format=banner&utm_term=&x=2&y=3',
      ),
    ).toBe(
      'https://acme.example/sale?utm_source=fixed&x=1&utm_medium=email&utm_campaign=a%20b%26c%3Dd' +
        '&utm_creative_format=banner&utm_id=utm#part',
    );
    expect(await go('/ownid?utm_id=theirs&utm_source=s')).toBe('https://acme.example/sale?utm_id=own&utm_source=s');
    expect(await go('/website?utm_id=theirs')).toBe('https://acme.example/campaign?utm_id=website');
    expect(await go('/website?utm_source=a&utm_source=b')).toBe(
      'https://acme.example/campaign?utm_source=a&utm_id=website',
    );
    expect(await go('/inactive?utm_source=a')).toBe(PROJECT_WEBSITE);
  });

  test('a location is ASCII, whatever was configured or sent', async () => {
    const answer = await open(
      '/umlaut?utm_source=gr%C3%BC%C3%9Fe%20%F0%9F%98%80&utm_medium=%0d%0aSet-Cookie:%20a=b&utm_term=%00%FF',
      { ua: DESKTOP },
    );
    expect(answer.location).toBe(
      'https://xn--bcher-kva.example/stra%C3%9Fe?q=gr%C3%B6%C3%9Fe&utm_source=gr%C3%BC%C3%9Fe%20%F0%9F%98%80' +
        '&utm_medium=%0D%0ASet-Cookie%3A%20a%3Db&utm_term=%00%EF%BF%BD&utm_id=umlaut',
    );
    expect(answer.headers['set-cookie']).toBeUndefined();
  });

  test.each([
    '//evil.example/website',
    '/https://evil.example/?c=website',
    '/?c=website&website=https://evil.example',
    '/?c=website&utm_id=https://evil.example',
    '/website?url=//evil.example&redirect=https://evil.example',
    '/?c=//evil.example',
    '/?c=https://evil.example',
    '/\\evil.example',
    '/%5Cevil.example',
    '/@evil.example?c=website',
    '/.evil.example',
    '/website#@evil.example',
    '/?c=website&utm_source=%23@evil.example/',
  ])('no open redirect: %s', async (path) => {
    const { location, status } = await open(path, { ua: DESKTOP });
    expect(status).toBe(302);
    expect(new URL(location as string).origin).toBe('https://acme.example');
    expect(['/campaign', '/home']).toContain(new URL(location as string).pathname);
  });

  test("the host is the request's alone: a forwarded host changes nothing", async () => {
    expect(
      (await open('/?c=website', { ua: DESKTOP, headers: { 'X-Forwarded-Host': 'go.theirs.example' } })).location,
    ).toBe('https://acme.example/campaign?utm_id=website');
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
    const [click, ...more] = await clicksOf(service, mark);
    expect(more).toEqual([]);
    expect(click).toMatchObject({
      ...rest,
      sccid: ScCid,
      gaid: GAID,
      idfa: IDFA.toLowerCase(),
      kind: 'link',
      app_id: '',
      d: DOMAIN,
      ip: '203.0.113.9',
      ua: ANDROID,
      partner_name: 'Mobi Ads',
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
    const [click] = await clicksOf(service, mark);
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

  test.each([
    ['not a UUID', `gaid=nonsense&idfa=${GAID}x`, { gaid: null, idfa: null }],
    ['all zero', `gaid=${NO_UUID}&idfa=${IDFA}`, { gaid: null, idfa: IDFA.toLowerCase() }],
    ['an unreplaced macro', 'gaid={gaid}&s3={s3}', { gaid: null, s3: '{s3}' }],
    ['empty', 'gaid=&tid=&s3=&utm_source=', { gaid: null, tid: '', s3: '', utm_source: '' }],
    [
      'too long',
      `s3=${'a'.repeat(300)}&ad_name=${'%F0%9F%98%80'.repeat(300)}&utm_term=${'%C3%BC'.repeat(256)}`,
      { s3: 'a'.repeat(256), ad_name: '😀'.repeat(256), utm_term: 'ü'.repeat(256) },
    ],
    ['malformed escapes', 's3=%zz%E0%A4%A&s4=%', { s3: '%zz\uFFFD%A', s4: '%' }],
    ['NUL and controls', 's3=a%00b&s4=%01%0A%7F', { s3: 'a\u0000b', s4: '\u0001\n\u007f' }],
    [
      'quotes and backslashes',
      `s3=%22%5C%27;--&s4=${encodeURIComponent("'; DROP TABLE adtrail.clicks --")}`,
      { s3: '"\\\';--', s4: "'; DROP TABLE adtrail.clicks --" },
    ],
  ])('%s does not break the redirect', async (_, query, expected) => {
    const mark = newMark();
    expect((await open(`/?c=website&s2=${mark}&${query}`)).status).toBe(302);
    expect(await clicksOf(service, mark)).toMatchObject([expected]);
  });

  test('a legal link of nearly 8 kB; one of 100 kB is refused', async () => {
    const mark = newMark();
    const ofCharacters = (n: number) => open(`/?c=website&s2=${mark}&s3=${'%F0%9F%98%80'.repeat(n)}`);
    expect((await ofCharacters(670)).status).toBe(302);
    expect((await ofCharacters(8_000)).status).toBe(431);
    expect(await clicksOf(service, mark)).toMatchObject([{ s3: '😀'.repeat(256) }]);
  });

  test('a very long user agent is stored in part', async () => {
    const mark = newMark();
    await open(`/?c=website&s2=${mark}`, { ua: `${ANDROID} ${'x'.repeat(5_000)}` });
    expect((await clicksOf(service, mark))[0]?.ua).toBe(`${ANDROID} ${'x'.repeat(5_000)}`.slice(0, 1_024));
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
    for (let i = 0; i < 3; i++) ids.add(clickIdOf((await open(`/stores?s2=${mark}`)).location));
    expect(ids.size).toBe(3);
    for (const id of ids) expect(id).toMatch(UUID);
    const same = newMark();
    const again = await Promise.all(
      ['tid', 'click_id', 'tid'].map(async (name, i) =>
        clickIdOf((await open(`/stores?s2=${same}&s3=${i}&${name}=${same}`)).location),
      ),
    );
    expect(new Set(again).size).toBe(1);
    expect(await clicksOf(service, same)).toMatchObject([{ tid: same, click_id: again[0] }]);
    // Long values that differ only at their end are two clicks; tid wins over click_id; each campaign has its own.
    const long = 'l'.repeat(300);
    const id = async (query: string, campaign = 'stores') => clickIdOf((await open(`/${campaign}?${query}`)).location);
    expect(await id(`tid=${long}a`)).not.toBe(await id(`tid=${long}b`));
    expect(await id(`tid=${same}&click_id=other`)).toBe(again[0]);
    expect(await id(`tid=${same}`, 'onlystores')).not.toBe(again[0]);
  });

  test('a link cannot pre-empt the tid of a partner', async () => {
    const mark = newMark();
    await open(`/all?s2=${mark}&tid=${mark}`);
    const s2s = await service.request(`/v1/click/com.acme.shop?c=all&tid=${mark}&s2=${mark}&ip=203.0.113.7`, {
      headers: { 'X-Service-Token': 'token-of-mobi-ads' },
    });
    const { click_id } = (await s2s.json()) as { click_id: string };
    const rows = await clicksOf(service, mark);
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
    expect(await clicksOf(service, mark)).toEqual([]);
  });

  test('the address of a client without proxy is its own', async () => {
    const mark = newMark();
    await open(`/website?s2=${mark}`, { headers: { 'X-Forwarded-For': '198.51.100.1, nonsense' } });
    await open(`/website?s2=${mark}`, { headers: { 'X-Forwarded-For': '::ffff:198.51.100.77' } });
    await open(`/website?s2=${mark}`, { headers: { 'X-Forwarded-For': '2001:DB8:0:0::1' } });
    expect((await clicksOf(service, mark)).map((row) => row.ip)).toEqual(['', '198.51.100.77', '2001:db8::1']);
  });

  test('the metrics count what became of links', async () => {
    const metric = async (outcome: string) => {
      const text = await (
        await service.request('/metrics', { headers: { Authorization: `Bearer ${ADMIN_TOKEN}` } })
      ).text();
      expect(text).toMatch(/^adtrail_link_clicks_lost_total 0$/m);
      return Number(
        new RegExp(`^adtrail_link_requests_total\\{outcome="${outcome}"\\} (\\d+)$`, 'm').exec(text)?.[1] ?? 0,
      );
    };
    const outcomes = ['click', 'head', 'bot', 'no_campaign', 'not_found'];
    const before = await Promise.all(outcomes.map(metric));
    await open('/website');
    await open('/website', { method: 'HEAD' });
    await open('/website', { ua: GOOGLEBOT });
    await open('/unknown');
    await open('/unknown', { host: 'go.bare.example' });
    expect(await Promise.all(outcomes.map(metric))).toEqual(before.map((n) => n + 1));
  });
});

test('every column has a comment', async () => {
  expect(
    await service.rows(
      `SELECT database, table, name
       FROM system.columns
       WHERE database IN ('adtrail', 'analytics') AND table = 'clicks' AND comment = ''`,
    ),
  ).toEqual([]);
});
