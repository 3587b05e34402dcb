/** The dashboard as it is served: its page at the paths that are its own, its policy, and its files. */
import { sharedService, startBeside } from '../../support/shared-service';

const service = sharedService();
const PAGES = ['/', '/sign-in', '/welcome', '/profile', '/projects/1/overview', '/partners/7', '/installation/status'];

async function open(path: string, headers: Record<string, string> = {}) {
  const response = await service.request(path, { headers });
  const text = await response.text();
  const header = (name: string) => response.headers.get(name);
  return { status: response.status, header, text };
}

const readNonce = (text: string) => /<meta name="csp-nonce" content="([A-Za-z0-9+/=]{24})"/.exec(text)?.[1];
const listAssets = (text: string) => [...text.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, path]) => path as string);

test.each(PAGES)('%s is the page, with a policy that lets in nothing foreign and a nonce of its own', async (path) => {
  const { status, header, text } = await open(path);
  expect([status, header('content-type'), header('cache-control')]).toEqual([
    200,
    'text/html; charset=utf-8',
    'no-store',
  ]);
  const nonce = readNonce(text);
  expect(header('content-security-policy')).toBe(
    `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data: blob:; ` +
      "font-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; frame-ancestors 'none'; " +
      "base-uri 'none'",
  );
  expect(header('x-content-type-options')).toBe('nosniff');
  expect(header('referrer-policy')).toBe('same-origin');
  expect(header('permissions-policy')).toContain('camera=()');
  expect(readNonce((await open(path)).text)).not.toBe(nonce);
});

test('what the page names is there, for a year, in Brotli for all who take it', async () => {
  const paths = listAssets((await open('/')).text);
  expect(paths.length).toBeGreaterThan(2);
  for (const path of paths) {
    const plain = await open(path, { 'Accept-Encoding': 'identity' });
    expect([plain.status, plain.header('content-encoding')]).toEqual([200, null]);
    expect(plain.header('cache-control')).toBe('max-age=31536000,immutable');
    expect(plain.header('x-content-type-options')).toBe('nosniff');
    expect(plain.header('vary')).toBe('Accept-Encoding');
    const packed = await open(path, { 'Accept-Encoding': 'br' });
    expect([packed.status, packed.header('content-encoding')]).toEqual([200, 'br']);
    expect(packed.text).toBe(plain.text);
    expect(packed.header('content-type')).toBe(plain.header('content-type'));
  }
});

test.each([
  '/assets/nothing.js',
  '/assets/..%2Findex.html',
  '/assets/%2e%2e/%2e%2e/cli.js',
  '/assets',
  '/index.html',
  '/projectsx',
  '/sign-in/x',
  '/no/such/path',
])('%s stays 404 in JSON', async (path) => {
  const { status, text } = await open(path);
  expect([status, JSON.parse(text)]).toEqual([404, { msg: 'Not found.', status: 404 }]);
});

test('the page can only be read', async () => {
  const response = await service.request('/sign-in', { method: 'POST' });
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'HEAD, GET']);
  expect((await service.request('/', { method: 'HEAD' })).status).toBe(200);
});

test('a process without the main API has no dashboard and no reference', async () => {
  const other = await startBeside(service, { ROLES: 's2s' });
  try {
    for (const path of [...PAGES, '/openapi.json', '/docs']) expect((await other.request(path)).status).toBe(404);
  } finally {
    await other.dispose();
  }
});
