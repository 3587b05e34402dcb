/** Tracking links on a configuration in memory: which campaign, where to, what is recorded (docs/contract/). */
import { isbot } from 'isbot';
import QRCode from 'qrcode';
import { startInMemory, type InMemory } from '../../support/links/in-memory';
import { PARAMETERS } from '../../../src/links/input';
import { detectPlatform } from '../../../src/links/platform';
import { CLICK_ID_PARAMETERS } from '../../../src/web-channels/click-ids';
import {
  openLink,
  readClickId,
  ANDROID,
  APP_STORE,
  DESKTOP,
  DOMAIN,
  GOOGLEBOT,
  IPHONE,
  linksWorkspace,
  PLAY,
  PROJECT_WEBSITE,
  type Opening,
} from '../../support/links/links';

const IDFA = '6D92078A-8246-4BA4-AE5B-76104861E7DC';
const GAID = '38400000-8cf0-11bd-b23e-10b96e40000d';
const NO_UUID = '00000000-0000-0000-0000-000000000000';

let links: InMemory;
let marks = 0;
const newMark = () => `mark-${marks++}`;
const open = (path: string, opening?: Opening) => openLink(links, path, opening);
const NONE = Object.fromEntries(Object.keys(PARAMETERS).map((name) => [name, '']));
/** The clicks whose s2 is `mark`, with their parameters beside the rest. */
const readClicks = (mark: string) =>
  links.clicks
    .filter(({ passthrough }) => passthrough[0] === mark)
    .map(({ parameters, passthrough: [, s3, s4], ...click }) => ({ ...NONE, ...click, ...parameters, s3, s4 }));

beforeAll(async () => {
  links = await startInMemory(linksWorkspace);
});
afterAll(() => links?.close());

describe('which campaign', () => {
  test.each([
    '/?c=website',
    '/website',
    '/any/path/at%20all?c=website',
    '/all?c=website',
    '/?x=1&c=website&c=all',
    '/website?c=',
    '/?%63=website',
    '//evil.example/?c=website',
    '/v1x/click?c=website',
    '/%77%65%62%73%69%74%65/',
    '/website%2F',
    '/%E0%A4%A?c=website',
    '/%zz?c=website',
    '/?utm_source=a&amp;c=website',
    '/?c=website?utm_term=second',
  ])('%s is a link', async (path) => {
    const mark = newMark();
    const answer = await open(`${path}${path.includes('?') ? '&' : '?'}s2=${mark}`, { ua: DESKTOP });
    expect(answer).toMatchObject({ status: 302, text: '' });
    expect(answer.location).toMatch(/^https:\/\/acme\.example\/campaign\?(utm_(source|term)=\w+&)?utm_id=website$/);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(readClicks(mark)).toMatchObject([{ campaign: 'website', domain: DOMAIN }]);
  });

  test('on any domain of the project, in any case, with a port', async () => {
    for (const host of ['alt.acme.example', 'GO.Acme.Example', `${DOMAIN}:8080`]) {
      const mark = newMark();
      expect((await open(`/?c=website&s2=${mark}`, { host, ua: DESKTOP })).location).toBe(
        'https://acme.example/campaign?utm_id=website',
      );
      expect(readClicks(mark)).toMatchObject([{ domain: host.toLowerCase().replace(':8080', '') }]);
    }
    expect((await open('/?c=alt', { ua: DESKTOP })).location).toBe(`${PROJECT_WEBSITE}?utm_id=alt`);
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
    '/web%00site',
    '/%E9',
    '/%zz',
    '/%',
    '/Website',
    '/%57ebsite',
    '/a%2Fwebsite',
    '/?c=%E0%A4%A',
    '/healthz',
    '/metrics',
    `/?c=${'x'.repeat(5000)}`,
  ])('%s leads to the website of the project without a click', async (path) => {
    const before = links.clicks.length;
    expect(await open(path)).toMatchObject({ status: 302, location: PROJECT_WEBSITE });
    expect(links.clicks.length).toBe(before);
  });

  test.each(['/', '/?c=unknown', '/?c=website', '/?c=links', '/website'])(
    '%s of a project without website is 404',
    async (path) => {
      const before = links.clicks.length;
      const answer = await open(path, { host: 'go.bare.example' });
      expect(answer.status).toBe(404);
      expect(JSON.parse(answer.text)).toEqual({ msg: 'Not found.', status: 404 });
      expect(links.clicks.length).toBe(before);
    },
  );

  test.each([
    '/collect/v1/nothing?c=website',
    '/.well-known/nothing?c=website',
    '/v1/click?c=website&tid=1',
    '/api/v1/campaigns?c=website',
    '/admin/v1/projects?c=website',
    '//v1/click?c=website&tid=1',
    '/%761/click?c=website&tid=1',
  ])('%s is never a link', async (path) => {
    const before = links.clicks.length;
    expect((await open(path)).status).toBe(404);
    expect(links.clicks.length).toBe(before);
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('%s is 405', async (method) => {
    const answer = await open('/?c=website', { method });
    expect(answer).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
    expect(JSON.parse(answer.text)).toEqual({ msg: 'Method not allowed.', status: 405 });
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
    expect(readClicks(mark)).toMatchObject([{ campaign: 'bare', id: readClickId(location) }]);
    expect((await open('/bare', { host, ua: DESKTOP })).location).toBe(PLAY);
  });

  test('the Play referrer names the click, replaces a configured one, and leaves the rest', async () => {
    const mark = newMark();
    const { location } = await open(`/odd?s2=${mark}&utm_source=x`);
    const [click] = readClicks(mark);
    expect(location).toBe(
      `https://play.google.com/store/apps/details?id=com.acme.shop&referrer=svc_ia_id%3D${String(click?.id)}` +
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

  const CLICK_IDS = CLICK_ID_PARAMETERS.map((name) => [`${name}=AbC-_${name}`, `${name}=AbC-_${name}`] as const);
  test.each<readonly [sent: string, got: string]>([
    ['UTM_SOURCE=Mail', 'utm_source=Mail'],
    ['Utm_Source=a&utm_source=b&UTM_SOURCE=c', 'utm_source=a'],
    ['utm_source=&UTM_SOURCE=b', 'utm_source=b'],
    ['utm_source=a&amp;utm_medium=email&amp;UTM_CAMPAIGN=x', 'utm_source=a&utm_medium=email&utm_campaign=x'],
    ['utm_source=a&amp;amp;utm_medium=email', 'utm_source=a&utm_medium=email'],
    ['%75tm_source=a', 'utm_source=a'],
    // Values are the target's to decode: they arrive as they came, in full.
    [`utm_content=${'x'.repeat(1_000)}`, `utm_content=${'x'.repeat(1_000)}`],
    ['utm_campaign=a+b&utm_term=a%20b', 'utm_campaign=a+b&utm_term=a%20b'],
    ['utm_campaign=Fr%FChling', 'utm_campaign=Fr%FChling'],
    ['utm_campaign=100%&utm_term=50%25', 'utm_campaign=100%25&utm_term=50%25'],
    ['utm_campaign={{campaign.name}}', 'utm_campaign=%7B%7Bcampaign.name%7D%7D'],
    ['utm_campaign=a=b;c,d:e/f?g', 'utm_campaign=a=b;c,d:e/f?g'],
    ['utm_campaign="<x>"', 'utm_campaign=%22%3Cx%3E%22'],
    ...CLICK_IDS,
    ['GCLID=AbC', 'gclid=AbC'],
    ['sccid=AbC&amp;gclid=x', 'ScCid=AbC&gclid=x'],
    ['gad_source=1&gad_campaignid=123', 'gad_source=1&gad_campaignid=123'],
  ])('a web target gets %s', async (sent, got) => {
    const { status, location } = await open(`/website?${sent}`, { ua: DESKTOP });
    expect({ status, location }).toEqual({
      status: 302,
      location: `https://acme.example/campaign?${got}&utm_id=website`,
    });
  });

  test('what the target has already stays, in whatever case, and a fragment stays last', async () => {
    const { location } = await open('/cased?utm_source=a&GCLID=theirs&fbclid=f', { ua: DESKTOP });
    expect(location).toBe('https://acme.example/sale?UTM_Source=fixed&gclid=own&fbclid=f&utm_id=cased#part');
  });

  test('a store gets no UTM parameter and no ad click ID', async () => {
    expect((await open('/stores?utm_source=a&gclid=x', { ua: IPHONE })).location).toBe(APP_STORE);
    expect((await open('/stores?utm_source=a&gclid=x')).location).toMatch(play);
  });

  test('a location is ASCII, whatever was configured or sent', async () => {
    const answer = await open(
      '/umlaut?utm_source=gr%C3%BC%C3%9Fe%20%F0%9F%98%80&utm_medium=%0d%0aSet-Cookie:%20a=b&utm_term=%00%FF',
      { ua: DESKTOP },
    );
    expect(answer.location).toBe(
      'https://xn--bcher-kva.example/stra%C3%9Fe?q=gr%C3%B6%C3%9Fe&utm_source=gr%C3%BC%C3%9Fe%20%F0%9F%98%80' +
        '&utm_medium=%0d%0aSet-Cookie:%20a=b&utm_term=%00%FF&utm_id=umlaut',
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
  test.each([
    ['not a UUID', `gaid=nonsense&idfa=${GAID}x`, { gaid: null, idfa: null }],
    ['all zero', `gaid=${NO_UUID}&idfa=${IDFA}`, { gaid: null, idfa: IDFA.toLowerCase() }],
    ['an unreplaced macro', 'gaid={gaid}&s3={s3}', { gaid: null, s3: '' }],
    [
      'macros of other forms',
      'idfa=__IDFA__&s3=%5BSUB1%5D&ad_set_id=%3CADSET%3E&ad_id=%%AD_ID%%&ad_name=$NAME$&' +
        'utm_source={{site_source_name}}&gclid={gclid}',
      { idfa: null, s3: '', ad_set_id: '', ad_id: '', ad_name: '', utm_source: '', gclid: '' },
    ],
    [
      'names in capitals, and in HTML',
      'UTM_Source=a&amp;utm_medium=b&GCLID=c&amp;s3=d',
      {
        utm_source: 'a',
        utm_medium: 'b',
        gclid: 'c',
        s3: 'd',
      },
    ],
    [
      'a macro before the value',
      's3={s3}&s3=real&utm_term=__KEYWORD__&UTM_TERM=boots',
      { s3: 'real', utm_term: 'boots' },
    ],
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
    expect(readClicks(mark)).toMatchObject([expected]);
  });

  test('a very long user agent is stored in part', async () => {
    const mark = newMark();
    await open(`/?c=website&s2=${mark}`, { ua: `${ANDROID} ${'x'.repeat(5_000)}` });
    expect(readClicks(mark)[0]?.ua).toBe(`${ANDROID} ${'x'.repeat(5_000)}`.slice(0, 1_024));
  });

  test.each(['{clickid}', '%257Bclickid%257D', '%%AD_ID%%'])(
    'tid=%s counts as not sent: each visit is a click',
    async (tid) => {
      const mark = newMark();
      const ids = [];
      for (let i = 0; i < 2; i++) ids.push(readClickId((await open(`/stores?s2=${mark}&tid=${tid}`)).location));
      const rows = readClicks(mark);
      expect(new Set(rows.map((row) => row.id))).toEqual(new Set(ids));
      expect(rows.map((row) => row.tid)).toEqual(['', '']);
    },
  );

  test('a macro in tid leaves the click_id beside it', async () => {
    const mark = newMark();
    for (let i = 0; i < 2; i++) await open(`/stores?s2=${mark}&tid={tid}&click_id=real-${mark}`);
    expect(readClicks(mark).map((row) => row.tid)).toEqual([`real-${mark}`]);
  });

  test.each<[string, Record<string, string>]>([
    ['Chromium', { 'Sec-Purpose': 'prefetch' }],
    ['Chromium, by a proxy', { 'Sec-Purpose': 'prefetch;anonymous-client-ip' }],
    ['Chromium, prerendering', { 'Sec-Purpose': 'prefetch;prerender' }],
    ['any case', { 'sec-purpose': 'PreFetch; Prerender' }],
    ['older Chromium', { Purpose: 'prefetch' }],
    ['older Chromium, prerendering', { Purpose: 'prerender' }],
    ['Safari', { 'X-Purpose': 'preview' }],
    ['Firefox', { 'X-Moz': 'prefetch' }],
    ['a header with other words', { 'X-Purpose': 'instant, preview' }],
  ])('a prefetch of %s is redirected and not counted', async (_, headers) => {
    for (const path of ['/stores?', '/?c=stores&', '/%73tores?', '//stores/?', '/any/path?c=stores&']) {
      const mark = newMark();
      const answer = await open(`${path}s2=${mark}`, { headers });
      expect(answer).toMatchObject({ status: 302, location: PLAY });
      expect(answer.headers['cache-control']).toBe('no-store');
      await open(`${path}s2=${mark}`);
      expect(readClicks(mark)).toHaveLength(1);
    }
  });

  test.each<Record<string, string>>([{ Purpose: 'click' }, { 'Sec-Purpose': '' }, { 'X-Moz': 'prefetched' }])(
    '%p is no prefetch',
    async (headers) => {
      const mark = newMark();
      await open(`/stores?s2=${mark}`, { headers });
      expect(readClicks(mark)).toHaveLength(1);
    },
  );

  test('a navigation that is loaded ahead is refused: its redirect would be kept for the visit', async () => {
    const mark = newMark();
    for (const purpose of ['prefetch', 'prefetch;prerender', 'prefetch;anonymous-client-ip']) {
      const answer = await open(`/stores?s2=${mark}`, {
        headers: { 'Sec-Purpose': purpose, 'Sec-Fetch-Mode': 'navigate' },
      });
      expect(answer).toMatchObject({ status: 503, location: undefined });
      expect(answer.headers).toMatchObject({ 'retry-after': '1', 'cache-control': 'no-store' });
    }
    expect(readClicks(mark)).toEqual([]);
  });

  test('the address of a client without proxy is its own', async () => {
    const mark = newMark();
    await open(`/website?s2=${mark}`, { headers: { 'X-Forwarded-For': '198.51.100.1, nonsense' } });
    await open(`/website?s2=${mark}`, { headers: { 'X-Forwarded-For': '::ffff:198.51.100.77' } });
    await open(`/website?s2=${mark}`, { headers: { 'X-Forwarded-For': '2001:DB8:0:0::1' } });
    expect(readClicks(mark).map((row) => row.ip)).toEqual(['', '198.51.100.77', '2001:db8::1']);
  });

  test('of several such headers the last one counts', async () => {
    const mark = newMark();
    await open(`/website?s2=${mark}`, { headers: { 'X-Forwarded-For': ['203.0.113.1', '198.51.100.201:49152'] } });
    expect(readClicks(mark)).toMatchObject([{ ip: '198.51.100.201' }]);
  });

  test('what became of each visit is counted', async () => {
    const before = links.outcomes.length;
    await open('/website');
    await open('/website', { method: 'HEAD' });
    await open('/website', { headers: { 'Sec-Purpose': 'prefetch' } });
    await open('/website', { ua: GOOGLEBOT });
    await open('/unknown');
    await open('/unknown', { host: 'go.bare.example' });
    await open('/inactive');
    expect(links.outcomes.slice(before)).toEqual([
      ...['click', 'head', 'prefetch', 'bot', 'no_campaign', 'not_found', 'no_campaign'],
    ]);
  });
});

describe('what a tracking domain answers beside links', () => {
  const json = async (path: string, opening?: Opening) => {
    const answer = await open(path, opening);
    return { status: answer.status, type: answer.headers['content-type'], body: JSON.parse(answer.text) as unknown };
  };

  test('apple-app-site-association names the iOS apps that have a team and a bundle, for every path', async () => {
    expect(await json('/.well-known/apple-app-site-association')).toEqual({
      status: 200,
      type: 'application/json; charset=utf-8',
      body: { applinks: { details: [{ appIDs: ['TEAM123456.example.acme.shop'], components: [{ '/': '*' }] }] } },
    });
    expect((await json('/.well-known/apple-app-site-association', { host: 'alt.acme.example' })).body).toMatchObject({
      applinks: { details: [{}] },
    });
    expect((await json('/.well-known/apple-app-site-association', { host: 'go.bare.example' })).body).toEqual({
      applinks: { details: [] },
    });
  });

  test('assetlinks.json names the Android apps that have fingerprints', async () => {
    const fingerprint = Array.from({ length: 32 }, (_, i) => i.toString(16).padStart(2, '0').toUpperCase()).join(':');
    expect(await json('/.well-known/assetlinks.json')).toEqual({
      status: 200,
      type: 'application/json; charset=utf-8',
      body: [
        {
          relation: ['delegate_permission/common.handle_all_urls'],
          target: { namespace: 'android_app', package_name: 'com.acme.shop', sha256_cert_fingerprints: [fingerprint] },
        },
      ],
    });
    expect((await json('/.well-known/assetlinks.json', { host: 'go.bare.example' })).body).toEqual([]);
  });

  test('a QR code of the tracking link on that domain, as SVG', async () => {
    const before = links.clicks.length;
    const answer = await open('/qr?c=website');
    expect(answer).toMatchObject({ status: 200, headers: { 'content-type': 'image/svg+xml' } });
    expect(answer.text).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"[^]*<\/svg>\s*$/);
    // The same picture as the package draws of the link.
    expect(answer.text).toBe(await QRCode.toString(`https://${DOMAIN}/?c=website`, { type: 'svg' }));
    expect((await open('/qr?c=website', { host: 'ALT.acme.example:80' })).text).toBe(
      await QRCode.toString(`https://${'alt.acme.example'}/?c=website`, { type: 'svg' }),
    );
    expect(links.clicks).toHaveLength(before);
  });

  test.each(['/qr', '/qr?c=', '/qr?c=unknown', '/qr?c=theirs', '/qr?c=inactive', '/qr?c=%00'])(
    '%s is 404',
    async (path) => {
      expect(await json(path)).toEqual({
        status: 404,
        type: 'application/json; charset=utf-8',
        body: { msg: 'Campaign not found.', status: 404 },
      });
    },
  );

  test.each(['/.well-known/assetlinks.json', '/.well-known/apple-app-site-association', '/qr?c=website'])(
    '%s takes GET and HEAD, on a tracking domain only',
    async (path) => {
      expect(await open(path, { method: 'HEAD' })).toMatchObject({ status: 200, text: '' });
      const wrong = await open(path, { method: 'POST' });
      expect(wrong).toMatchObject({ status: 405, headers: { allow: 'HEAD, GET' } });
      expect(JSON.parse(wrong.text)).toEqual({ msg: 'Method not allowed.', status: 405 });
      expect((await openLink(links, path, { host: 'localhost' })).status).toBe(404);
    },
  );
});

const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)';
const WEBKIT = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const IOS = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4_1 like Mac OS X)';
const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0';

const IOS_AGENTS: Readonly<Record<string, string>> = {
  'iPhone Safari': `${IOS} ${WEBKIT} Version/17.4.1 Mobile/15E148 Safari/604.1`,
  'iPhone Chrome': `${IOS} ${WEBKIT} CriOS/124.0.6367.88 Mobile/15E148 Safari/604.1`,
  'iPhone Firefox': `${IOS} ${WEBKIT} FxiOS/125.0 Mobile/15E148 Safari/605.1.15`,
  'iPhone Edge': `${IOS} ${WEBKIT} Version/17.0 EdgiOS/124.0.2478.50 Mobile/15E148 Safari/605.1.15`,
  'iPhone Google app': `${IOS} ${WEBKIT} GSA/313.0.625 Mobile/15E148 Safari/604.1`,
  'iPhone DuckDuckGo': `${IOS} ${WEBKIT} Version/17.4.1 Mobile/15E148 DuckDuckGo/7 Safari/605.1.15`,
  'iPhone Facebook':
    `${IOS} ${WEBKIT} Mobile/15E148 [FBAN/FBIOS;FBAV/460.0.0.27.106;FBBV/591300000;` +
    'FBDV/iPhone14,5;FBMD/iPhone;FBSN/iOS;FBSV/17.4.1;FBSS/3;FBID/phone;FBLC/en_US;FBOP/5;FBRV/593000000]',
  'iPhone Instagram':
    `${IOS} ${WEBKIT} Mobile/15E148 Instagram 328.0.3.23.97 (iPhone14,5; iOS 17_4_1; en_US; en; scale=3.00; ` +
    '1170x2532; 592000000)',
  'iPhone TikTok':
    `${IOS} ${WEBKIT} Mobile/15E148 musical_ly_34.2.0 JsSdk/2.0 NetType/WIFI Channel/App Store ByteLocale/en ` +
    'Region/US isDarkMode/0 WKWebView/1 RevealType/Dialog BytedanceWebview/d8a21c6',
  'iPhone Snapchat':
    `${IOS} ${WEBKIT} Version/17.4.1 Mobile/15E148 ` + 'Snapchat/12.84.0.38 (like Safari/8617.2.4.10.8, panda)',
  'iPhone LinkedIn': `${IOS} ${WEBKIT} Mobile/15E148 [LinkedInApp]/9.29.5586`,
  'iPhone, iOS 12':
    'Mozilla/5.0 (iPhone; CPU iPhone OS 12_5_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) ' +
    'Version/12.1.2 Mobile/15E148 Safari/604.1',
  'iPod touch':
    'Mozilla/5.0 (iPod touch; CPU iPhone OS 12_5_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) ' +
    'Version/12.1.2 Mobile/15E148 Safari/604.1',
  'iPad Safari, mobile site':
    `Mozilla/5.0 (iPad; CPU OS 17_4_1 like Mac OS X) ${WEBKIT} ` + 'Version/17.4.1 Mobile/15E148 Safari/604.1',
  'iPad Facebook':
    `Mozilla/5.0 (iPad; CPU OS 17_4_1 like Mac OS X) ${WEBKIT} Mobile/15E148 ` +
    '[FBAN/FBIOS;FBDV/iPad13,1;FBMD/iPad;FBSN/iPadOS;FBSV/17.4.1;FBSS/2;FBID/tablet;FBLC/en_US]',
  'iPad Chrome, desktop site': `${MAC} ${WEBKIT} CriOS/124 Version/11.1.1 Safari/605.1.15`,
  'iPad Firefox, desktop site': `${MAC} ${WEBKIT} FxiOS/125 Safari/605.1.15`,
  'iPad Edge, desktop site': `${MAC} ${WEBKIT} Version/17.0 EdgiOS/124.0.2478.50 Safari/605.1.15`,
  'iPad web view, desktop site': `${MAC} ${WEBKIT} Mobile/15E148`,
  'iPad Facebook, desktop site': `${MAC} ${WEBKIT} [FBAN/FBIOS;FBAV/460.0.0.27.106;FBDV/iPad13,1]`,
  'iPad Line, desktop site': `${MAC} ${WEBKIT} Mobile/15E148 Safari Line/14.4.0`,
  'iPhone Line': `${IOS} ${WEBKIT} Mobile/15E148 Safari Line/14.4.0`,
  'iPhone WeChat': `${IOS} ${WEBKIT} Mobile/15E148 MicroMessenger/8.0.47(0x1800302b) NetType/WIFI Language/en`,
  'iPhone Opera Mini': 'Opera/9.80 (iPhone; Opera Mini/16.0.14/191.283; U; en) Presto/2.12.423 Version/12.16',
  'iPhone UC Browser': 'UCWEB/2.0 (iOS; U; iPh OS 9_3_2; en-US; iPh7,2) U2/1.0.0 UCBrowser/10.7.5.780 U2/1.0.0 Mobile',
};

const ANDROID_AGENTS: Readonly<Record<string, string>> = {
  'Pixel Chrome': `Mozilla/5.0 (Linux; Android 14; Pixel 8) ${CHROME} Mobile Safari/537.36`,
  'Chrome with a reduced user agent': `Mozilla/5.0 (Linux; Android 10; K) ${CHROME} Mobile Safari/537.36`,
  'Android tablet Chrome': `Mozilla/5.0 (Linux; Android 13; SM-X700) ${CHROME} Safari/537.36`,
  'Samsung Internet':
    'Mozilla/5.0 (Linux; Android 14; SAMSUNG SM-S921B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/24.0 ' +
    'Chrome/117.0.0.0 Mobile Safari/537.36',
  'Huawei browser':
    'Mozilla/5.0 (Linux; Android 12; HarmonyOS; NOH-NX9; HMSCore 6.13.0.302) AppleWebKit/537.36 (KHTML, like Gecko) ' +
    'Chrome/114.0.5735.196 HuaweiBrowser/14.0.5.302 Mobile Safari/537.36',
  'Android Firefox': 'Mozilla/5.0 (Android 14; Mobile; rv:125.0) Gecko/125.0 Firefox/125.0',
  'Android Opera': `Mozilla/5.0 (Linux; Android 13; CPH2449) ${CHROME} Mobile Safari/537.36 OPR/81.2.4292.78446`,
  'Android Edge': `Mozilla/5.0 (Linux; Android 14; Pixel 7) ${CHROME} Mobile Safari/537.36 EdgA/124.0.2478.64`,
  'Xiaomi browser':
    'Mozilla/5.0 (Linux; U; Android 13; en-us; 2201117TG Build/TKQ1.221114.001) AppleWebKit/537.36 (KHTML, like ' +
    'Gecko) Version/4.0 Chrome/112.0.5615.136 Mobile Safari/537.36 XiaoMi/MiuiBrowser/14.11.1-gn',
  'Android web view':
    'Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/UQ1A.240205.002; wv) AppleWebKit/537.36 (KHTML, like Gecko) ' +
    'Version/4.0 Chrome/124.0.6367.54 Mobile Safari/537.36',
  'Android Facebook':
    'Mozilla/5.0 (Linux; Android 13; SM-A536B Build/TP1A.220624.014; wv) AppleWebKit/537.36 (KHTML, like Gecko) ' +
    'Version/4.0 Chrome/124.0.6367.54 Mobile Safari/537.36 [FB_IAB/FB4A;FBAV/460.0.0.48.109;]',
  'Android Instagram':
    'Mozilla/5.0 (Linux; Android 13; SM-A536B Build/TP1A.220624.014; wv) AppleWebKit/537.36 (KHTML, like Gecko) ' +
    'Version/4.0 Chrome/124.0.6367.54 Mobile Safari/537.36 Instagram 328.0.0.42.90 Android (33/13; 450dpi; ' +
    '1080x2177; samsung; SM-A536B; a53x; s5e8825; en_GB; 591000000)',
  'Android TikTok':
    'Mozilla/5.0 (Linux; Android 12; M2101K6G Build/SKQ1.210908.001; wv) AppleWebKit/537.36 (KHTML, like Gecko) ' +
    'Version/4.0 Chrome/124.0.6367.54 Mobile Safari/537.36 trill_340204 JsSdk/1.0 NetType/WIFI Channel/googleplay ' +
    'AppName/musical_ly app_version/34.2.4 ByteLocale/en BytedanceWebview/d8a21c6',
  'UC Browser Mini':
    'UCWEB/2.0 (MIDP-2.0; U; Adr 9.0.0; en-US; SM-J400F) U2/1.0.0 UCBrowser/10.9.9.1008 U2/1.0.0 Mobile',
  'UC Browser':
    'Mozilla/5.0 (Linux; U; Adr 4.4.2; en-US; SM-J400F) AppleWebKit/528.5+ (KHTML, like Gecko) Version/3.1.2 Mobile ' +
    'Safari/525.20.1 UCBrowser/9.4',
  'Android Opera Mini': 'Opera/9.80 (Android; Opera Mini/60.0/191.283; U; en) Presto/2.12.423 Version/12.16',
  'Android Line':
    'Mozilla/5.0 (Linux; Android 13; SO-51C Build/64.1; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 ' +
    'Chrome/124.0.6367.54 Mobile Safari/537.36 Line/14.5.0/IAB',
  'Android WeChat':
    'Mozilla/5.0 (Linux; Android 12; V2046A Build/SP1A; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 ' +
    'Chrome/116.0.0.0 Mobile Safari/537.36 XWEB/1160 MMWEBSDK/2023 MicroMessenger/8.0.43 WeChat/arm64 Weixin',
  'Fire tablet':
    'Mozilla/5.0 (Linux; Android 9; KFMAWI) AppleWebKit/537.36 (KHTML, like Gecko) Silk/108.4.6 like ' +
    'Chrome/108.0.5359.220 Safari/537.36',
  'Old Android browser':
    'Mozilla/5.0 (Linux; U; Android 4.4.2; en-us; SCH-I535 Build/KOT49H) AppleWebKit/534.30 (KHTML, like Gecko) ' +
    'Version/4.0 Mobile Safari/534.30',
};

const DESKTOP_AGENTS: Readonly<Record<string, string>> = {
  'Windows Chrome': `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Safari/537.36`,
  'Windows Firefox': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:125.0) Gecko/20100101 Firefox/125.0',
  'Windows Edge': `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Safari/537.36 Edg/124.0.2478.67`,
  'Windows Phone, which names all others':
    'Mozilla/5.0 (Windows Phone 10.0; Android 6.0.1; Microsoft; Lumia 950) AppleWebKit/537.36 (KHTML, like Gecko) ' +
    'Chrome/52.0.2743.116 Mobile Safari/537.36 Edge/15.15254',
  'Windows Phone, which names the iPhone, too':
    'Mozilla/5.0 (Mobile; Windows Phone 8.1; Android 4.0; ARM; Trident/7.0; Touch; rv:11.0; IEMobile/11.0; NOKIA; ' +
    'Lumia 520) like iPhone OS 7_0_3 Mac OS X AppleWebKit/537 (KHTML, like Gecko) Mobile Safari/537',
  KaiOS: 'Mozilla/5.0 (Mobile; Nokia_8110_4G; rv:48.0) Gecko/48.0 Firefox/48.0 KAIOS/2.5',
  'HarmonyOS without Android':
    'Mozilla/5.0 (Phone; OpenHarmony 5.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/114.0.0.0 Safari/537.36 ' +
    'ArkWeb/4.1.6.1 Mobile HuaweiBrowser/5.0.4.300',
  'a console that calls itself like iPhone':
    'Mozilla/5.0 (New Nintendo 3DS like iPhone) AppleWebKit/536.30 (KHTML, like Gecko) NX/3.0.0.5.23 Mobile ' +
    'NintendoBrowser/1.12.10178.EU',
  'Windows WeChat':
    'Mozilla/5.0 (Windows NT 10.0; WOW64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/107.0.0.0 Safari/537.36 ' +
    'MicroMessenger/7.0.20.1781 WindowsWechat',
  'Mac Safari, or an iPad that does not say so': `${MAC} ${WEBKIT} Version/17.4.1 Safari/605.1.15`,
  'Mac Chrome': `${MAC} ${CHROME} Safari/537.36`,
  'Mac Firefox': 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:125.0) Gecko/20100101 Firefox/125.0',
  'Linux Firefox': 'Mozilla/5.0 (X11; Linux x86_64; rv:125.0) Gecko/20100101 Firefox/125.0',
  'Linux Chrome': `Mozilla/5.0 (X11; Linux x86_64) ${CHROME} Safari/537.36`,
  'Chrome OS': `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${CHROME} Safari/537.36`,
  none: '',
};

const BOTS: Readonly<Record<string, string>> = {
  Googlebot: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Googlebot on Android':
    `Mozilla/5.0 (Linux; Android 6.0.1; Nexus 5X Build/MMB29P) ${CHROME} Mobile Safari/537.36 (compatible; ` +
    'Googlebot/2.1; +http://www.google.com/bot.html)',
  Bingbot: 'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
  Facebook: 'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
  X: 'Twitterbot/1.0',
  Slack: 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  WhatsApp: 'WhatsApp/2.23.20.0',
  Telegram: 'TelegramBot (like TwitterBot)',
  LinkedIn: 'LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)',
  Discord: 'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
  Applebot: `${MAC} ${WEBKIT} Version/17.4 Safari/605.1.15 (Applebot/0.1; +http://www.apple.com/go/applebot)`,
  'Facebook, by another agent':
    'meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)',
  iMessage:
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 ' +
    'Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0',
  Skype: 'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5 skype-url-preview@microsoft.com',
  Teams: 'Mozilla/5.0 (compatible; MicrosoftPreview/2.0; +https://aka.ms/MicrosoftPreview)',
  Pinterest: 'Mozilla/5.0 (compatible; Pinterestbot/1.0; +http://www.pinterest.com/bot.html)',
  'Google image proxy': 'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)',
  Yahoo: 'YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html',
  Barracuda: 'BarracudaCentral/1.0 (linkprotect scanner)',
  'Google Web Preview':
    'Mozilla/5.0 (Windows NT 6.1) AppleWebKit/537.36 (KHTML, like Gecko; Google Web Preview) Chrome/41.0 Safari/537.36',
  curl: 'curl/8.5.0',
  wget: 'Wget/1.21.4',
  'a bare product name': 'Acme/1.0',
  'Headless Chrome':
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/124.0.0.0 Safari/537.36',
};

describe('platforms and bots', () => {
  test.each(Object.entries(IOS_AGENTS))('iOS: %s', (_, ua) =>
    expect([detectPlatform(ua, undefined), isbot(ua)]).toEqual(['ios', false]),
  );
  test.each(Object.entries(ANDROID_AGENTS))('Android: %s', (_, ua) =>
    expect([detectPlatform(ua, undefined), isbot(ua)]).toEqual(['android', false]),
  );
  test.each(Object.entries(DESKTOP_AGENTS))('desktop: %s', (_, ua) =>
    expect([detectPlatform(ua, undefined), isbot(ua)]).toEqual(['desktop', false]),
  );
  test.each(Object.entries(BOTS))('bot: %s', (_, ua) => expect(isbot(ua)).toBe(true));

  test.each([
    ['Mac Chrome', '"iOS"', 'ios'],
    ['Linux Chrome', '"Android"', 'android'],
    ['Mac Chrome', '"macOS"', 'desktop'],
    ['Mac Chrome', '"constructor"', 'desktop'],
    ['iPhone Safari', '"Android"', 'ios'],
  ])('%s with the client hint %s is %s', (name, hint, platform) =>
    expect(detectPlatform({ ...DESKTOP_AGENTS, ...IOS_AGENTS }[name] as string, hint)).toBe(platform),
  );
});
