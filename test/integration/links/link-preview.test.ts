/** `GET /api/v1/links/{display_id}/preview`, its QR code, and checks of domains (docs/contract/tracking-links.md). */
import { openLink } from '../../support/links/links';
import { idByName } from '../../support/s2s/s2s-client';
import { sharedService } from '../../support/shared-service';
import { ownNames } from '../../support/workspace/own-names';

const service = sharedService();
const own = ownNames('link-preview');
const [KEY, OTHER] = [own('key'), own('other')];
const DOMAIN = 'link-preview-go.example';
const PLAY = 'https://play.google.com/store/apps/details?id=com.preview';
const APPLE = 'https://apps.apple.com/app/id1';

beforeAll(async () => {
  await service.apply({
    accounts: [{ name: own('Acme') }],
    projects: [
      {
        name: own('Shop'),
        account: own('Acme'),
        timezone: 'UTC',
        website: 'https://preview.example',
        server_keys: [KEY],
        apps: [
          {
            platform: 'ANDROID',
            app_id: 'com.preview',
            sha256_cert_fingerprints: [Array(32).fill('AB').join(':')],
          },
        ],
        domains: [{ name: DOMAIN, primary: true }],
        store_listings: [
          { store_listing_id: 'play', name: 'Play', platform: 'ANDROID', url: PLAY },
          { store_listing_id: 'apple', name: 'Apple', platform: 'IOS', url: APPLE },
        ],
        campaigns: [
          { display_id: 'lpstores', name: 'Stores', store_listings: ['play'], deeplink: 'shop://open?x=1' },
          { display_id: 'lpredirect', name: 'Redirect', ios_web_redirect: 'https://ios.example/a' },
          { display_id: 'lpoff', name: 'Off', active: false },
        ],
      },
      {
        name: own('Bare'),
        account: own('Acme'),
        timezone: 'UTC',
        server_keys: [OTHER],
        campaigns: [{ display_id: 'lpbare', name: 'Bare' }],
      },
    ],
  });
});

interface On {
  location: string | null;
  kind: string | null;
  from: string | null;
  why: string;
  opens_apps: string[];
}
async function preview(displayId: string, key = KEY) {
  const response = await service.request(`/api/v1/links/${displayId}/preview`, { headers: { 'service-key': key } });
  return {
    status: response.status,
    body: (await response.json()) as Record<string, unknown> & { platforms: Record<'ios' | 'android' | 'desktop', On> },
  };
}
const clicks = async () =>
  (await service.rows(`SELECT tid FROM adtrail.clicks WHERE d = '${DOMAIN}' AND kind = 'link'`)).length;

test('says where the link leads on each platform, and why', async () => {
  const { status, body } = await preview('lpstores');
  expect(status).toBe(200);
  expect(body).toMatchObject({
    display_id: 'lpstores',
    name: 'Stores',
    active: true,
    domain: DOMAIN,
    link: 'shop://open?x=1&c=lpstores',
    short_link: `https://${DOMAIN}/?c=lpstores`,
    qr: `https://${DOMAIN}/qr?c=lpstores`,
  });
  expect(body.platforms.android).toEqual({
    location: PLAY,
    kind: 'store',
    from: 'campaign_store',
    why: 'The campaign has a store listing for this platform.',
    opens_apps: ['com.preview'],
  });
  expect(body.platforms.ios).toMatchObject({ kind: 'web', from: 'project_website', opens_apps: [] });
  expect(body.platforms.desktop).toMatchObject({
    location: 'https://preview.example?utm_id=lpstores',
    from: 'project_website',
  });
  expect(body.configured).toEqual({
    deeplink: 'shop://open?x=1',
    website: null,
    ios_web_redirect: null,
    android_web_redirect: null,
  });
  expect((await preview('lpredirect')).body.configured).toMatchObject({ ios_web_redirect: 'https://ios.example/a' });
  expect((await preview('lpredirect')).body.platforms).toMatchObject({
    ios: { location: 'https://ios.example/a?utm_id=lpredirect', from: 'campaign_redirect' },
    android: { location: PLAY, from: 'project_store' },
  });
});

const AGENTS = {
  ios: 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1',
  android: 'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/120.0 Mobile Safari/537.36',
  desktop: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/120.0 Safari/537.36',
};

test('is what the link does when nobody is counted', async () => {
  for (const displayId of ['lpstores', 'lpredirect', 'lpoff'])
    for (const platform of ['ios', 'android', 'desktop'] as const) {
      const { body } = await preview(displayId);
      const opened = await openLink(service, `/?c=${displayId}`, {
        host: DOMAIN,
        method: 'HEAD',
        headers: { 'User-Agent': AGENTS[platform] },
      });
      expect([displayId, platform, opened.headers.location]).toEqual([
        displayId,
        platform,
        body.platforms[platform].location,
      ]);
    }
  expect(await clicks()).toBe(0);
});

test('of an inactive campaign leads to the website, of a bare project nowhere', async () => {
  const off = await preview('lpoff');
  expect(off.body).toMatchObject({ active: false, platforms: { ios: { location: 'https://preview.example' } } });
  const bare = await preview('lpbare', OTHER);
  expect(bare.body).toMatchObject({ domain: null, link: null, short_link: null, qr: null });
  expect(bare.body.platforms.desktop).toMatchObject({ location: null, kind: null, from: null });
});

test('the code is that of the tracking domain', async () => {
  const code = (displayId: string, key = KEY) =>
    service.request(`/api/v1/links/${displayId}/qr`, { headers: { 'service-key': key } });
  const response = await code('lpstores');
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/svg+xml']);
  expect(await response.text()).toBe((await openLink(service, '/qr?c=lpstores', { host: DOMAIN })).text);
  expect((await code('lpoff')).status).toBe(404);
  expect((await code('lpbare', OTHER)).status).toBe(404);
});

test('campaigns of others are not there', async () => {
  expect((await preview('lpstores', OTHER)).status).toBe(404);
  expect((await preview('nobody')).status).toBe(404);
  expect((await preview('lpstores', 'no-key')).status).toBe(401);
});

test('a domain is checked, of its own project', async () => {
  const id = await idByName(service, 'projects', own('Shop'));
  const other = await idByName(service, 'projects', own('Bare'));
  const domains = (await service.admin('GET', `/projects/${id}/domains`)).body.domains as { id: number }[];
  const at = `/domains/${domains[0]?.id}/check`;
  const { status, body } = await service.admin('POST', `/projects/${id}${at}`);
  expect([status, body.ok, body.msg]).toEqual([200, false, expect.stringContaining('public name')]);
  expect((await service.admin('POST', `/projects/${other}${at}`)).status).toBe(404);
  expect((await service.admin('POST', `/projects/${id}/domains/x/check`)).status).toBe(404);
});
