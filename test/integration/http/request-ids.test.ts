/** Every answer says by which ID its request is found in the log (docs/contract/running.md). */
import net from 'node:net';
import { ownNames } from '../../support/workspace/own-names';
import { sharedService } from '../../support/shared-service';

const own = ownNames('request-ids');
const DOMAIN = own('go.acme.example');
const OURS = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const service = sharedService();
beforeAll(async () => {
  await service.apply(
    own.document({
      accounts: [{ name: 'Acme' }],
      projects: [
        {
          name: 'Shop',
          account: 'Acme',
          timezone: 'UTC',
          website: 'https://acme.example/',
          server_keys: ['server-key'],
          app_keys: ['app-key'],
          domains: [{ name: 'go.acme.example' }],
          campaigns: [{ display_id: 'web', name: 'Web' }],
        },
      ],
    }),
  );
});

/** The whole answer to a request of these lines; it closes the connection. */
function answerTo(...lines: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(Number(new URL(service.url).port), '127.0.0.1');
    let answer = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => (answer += chunk));
    socket.on('error', reject).on('close', () => resolve(answer));
    socket.write(`${[...lines, 'Connection: close', '', ''].join('\r\n')}`, 'latin1');
  });
}
const idsIn = (answer: string) => [...answer.matchAll(/^x-request-id: (.*)\r$/gim)].map(([, id]) => id);
const readStatus = (answer: string) => Number(answer.slice(9, 12));

test.each([
  ['an answer', 200, ['GET /healthz HTTP/1.1', 'Host: a']],
  ['an unknown path', 404, ['GET /nowhere HTTP/1.1', 'Host: a']],
  ['a wrong method', 405, ['PUT /healthz HTTP/1.1', 'Host: a']],
  ['a method that nothing knows', 404, ['PURGE /nowhere HTTP/1.1', 'Host: a']],
  ['a missing key', 401, ['GET /api/v1/campaigns HTTP/1.1', 'Host: a']],
  ['a click without a token', 401, ['GET /v1/click/com.acme?c=a&tid=b HTTP/1.1', 'Host: a']],
  ['a request of a browser for permission', 204, ['OPTIONS /collect/v1/web HTTP/1.1', 'Host: a', 'Origin: https://b']],
  ['the browser script', 200, ['GET /adtrail.js HTTP/1.1', 'Host: a']],
  ['a link', 302, ['GET /web HTTP/1.1', `Host: ${DOMAIN}`]],
  ['a link that leads nowhere', 404, ['GET /.well-known/none HTTP/1.1', `Host: ${DOMAIN}`]],
  ['a request line that is too long', 431, [`GET /${'a'.repeat(10_000)} HTTP/1.1`, 'Host: a']],
  ['more parameters than one may have', 400, [`GET /api/v1/campaigns?${'a&'.repeat(6_000)} HTTP/1.1`, 'Host: a']],
])('%s', async (_what, status, lines) => {
  const without = await answerTo(...lines);
  expect([readStatus(without), idsIn(without)]).toEqual([status, [expect.stringMatching(OURS)]]);
  const answer = await answerTo(...lines, 'X-Request-Id: Root=1-67891233-abcdef012345678912345678');
  expect([readStatus(answer), idsIn(answer)]).toEqual([status, ['Root=1-67891233-abcdef012345678912345678']]);
});

test('a body that is too large', async () => {
  const lines = ['POST /collect/v1/app HTTP/1.1', 'Host: a', `app-key: ${own('app-key')}`, 'Content-Length: 60000000'];
  const answer = await answerTo(...lines, 'Content-Type: application/json', 'X-Request-Id: large-1');
  expect([readStatus(answer), idsIn(answer)]).toEqual([413, ['large-1']]);
});

test.each<[string, number, string[]]>([
  ['that cannot be parsed', 400, ['GET /healthz HTTP/1.1', 'no header']],
  ['with headers that are too large', 431, ['GET /healthz HTTP/1.1', `a: ${'b'.repeat(140_000)}`]],
  ['for a tunnel', 405, ['CONNECT elsewhere:443 HTTP/1.1', 'Host: a']],
])('a request %s has an ID of ours: nothing of it is taken for true', async (_what, status, lines) => {
  const answer = await answerTo(...lines);
  expect([readStatus(answer), idsIn(answer)]).toEqual([status, [expect.stringMatching(OURS)]]);
});

// Which IDs are taken: test/unit/http/request-id.test.ts.
test.each([
  ['with a space', ['X-Request-Id: a b']],
  ['sent twice', ['X-Request-Id: a', 'X-Request-Id: b']],
])('an ID that is %s is not taken', async (_what, headers) => {
  const answer = await answerTo('GET /healthz HTTP/1.1', 'Host: a', ...headers);
  expect([readStatus(answer), idsIn(answer)]).toEqual([200, [expect.stringMatching(OURS)]]);
});

test('any website may read it, and need not ask before for what it could before', async () => {
  const answer = await answerTo('OPTIONS /collect/v1/web HTTP/1.1', 'Host: a', 'Origin: https://acme.example');
  expect(answer).toMatch(/^Access-Control-Expose-Headers: Retry-After, X-Request-Id\r$/im);
  expect(answer).toMatch(/^Access-Control-Allow-Headers: content-type, content-encoding, web-key, service-key\r$/im);
});
