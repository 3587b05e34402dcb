/** What a tracking domain answers beside links: the files that let apps open them, and QR codes. */
import QRCode from 'qrcode';
import { DOMAIN, linksWorkspace, openLink, type Opening } from '../support/links';
import { ownNames } from '../support/own-names';
import { sharedService } from '../support/shared-service';

const service = sharedService();
const own = ownNames('links-files');
const get = (path: string, { host = DOMAIN, ...opening }: Opening = {}) =>
  openLink(service, path, { host: own(host), ...opening });
const json = async (path: string, opening?: Opening) => {
  const answer = await get(path, opening);
  return { status: answer.status, type: answer.headers['content-type'], body: JSON.parse(answer.text) as unknown };
};

beforeAll(() => service.apply(own.document(linksWorkspace)));

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

test('an app that gets its bundle is there at once', async () => {
  const bare = {
    name: 'Bare',
    account: 'Acme',
    timezone: 'UTC',
    apps: [{ platform: 'IOS', app_id: '77', team_id: 'TEAM777777', bundle_id: 'example.bare' }],
  };
  await service.apply(own.document({ projects: [bare] }));
  expect((await json('/.well-known/apple-app-site-association', { host: 'go.bare.example' })).body).toMatchObject({
    applinks: { details: [{ appIDs: ['TEAM777777.example.bare'] }] },
  });
});

test('a QR code of the tracking link on that domain, as SVG', async () => {
  const answer = await get('/qr?c=website');
  expect(answer).toMatchObject({ status: 200, headers: { 'content-type': 'image/svg+xml' } });
  expect(answer.text).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"[^]*<\/svg>\s*$/);
  // The same picture as the package draws of the link.
  expect(answer.text).toBe(await QRCode.toString(`https://${own(DOMAIN)}/?c=website`, { type: 'svg' }));
  expect((await get('/qr?c=website', { host: 'ALT.acme.example:80' })).text).toBe(
    await QRCode.toString(`https://${own('alt.acme.example')}/?c=website`, { type: 'svg' }),
  );
  expect(await service.rows(`SELECT 1 FROM analytics.clicks WHERE startsWith(d, '${own('')}')`)).toEqual([]);
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
    expect(await get(path, { method: 'HEAD' })).toMatchObject({ status: 200, text: '' });
    const wrong = await get(path, { method: 'POST' });
    expect(wrong).toMatchObject({ status: 405, headers: { allow: 'HEAD, GET' } });
    expect(JSON.parse(wrong.text)).toEqual({ msg: 'Method not allowed.', status: 405 });
    expect((await openLink(service, path, { host: 'localhost' })).status).toBe(404);
  },
);
