/** What commands say of what answers where they look for a service. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StartError } from '../../../src/errors';
import { askService, RefusedError, withAdminToken } from '../../../src/lib/ask-service';

let seen: unknown[] = [];
const server = createServer((req, res) => {
  const chunks: Buffer[] = [];
  req.on('data', (chunk: Buffer) => chunks.push(chunk));
  req.on('end', () => {
    const { authorization, 'content-type': type } = req.headers;
    seen = [req.method, authorization, type, Buffer.concat(chunks).toString()];
    const [status, text] = decodeURIComponent(req.url?.slice(1) ?? '').split('|');
    res.writeHead(Number(status)).end(text);
  });
});
let service = '';
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  service = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

const ask = (status: number, text: string, more = {}) =>
  askService(service, `/${encodeURIComponent(`${status}|${text}`)}`, { headers: withAdminToken('token'), ...more });

test('an answer is parsed, 204 is none', async () => {
  expect(await ask(200, '{"a":[1]}')).toEqual({ a: [1] });
  expect(seen).toEqual(['GET', 'Bearer token', undefined, '']);
  expect(await ask(204, '', { method: 'DELETE' })).toBeUndefined();
  await ask(201, '{}', { method: 'POST', body: { x: 1 } });
  expect(seen).toEqual(['POST', 'Bearer token', 'application/json', '{"x":1}']);
});

test.each([
  [400, '{"msg":"to: is wrong","status":400}', 'to: is wrong'],
  [409, '{}', 'The service answered 409'],
  [502, '<html>Bad Gateway</html>', 'The service answered 502'],
  [503, '', 'The service answered 503'],
  [401, 'null', 'The service answered 401'],
])('%i with %s is refused, in the words of the service if it has some', async (status, text, message) => {
  const error = await ask(status, text).catch((one: unknown) => one);
  expect(error).toBeInstanceOf(RefusedError);
  expect(error).toMatchObject({ status, message });
});

test.each(['<html>Welcome</html>', '{"a":', ''])('a page in place of an answer is told of: %s', async (text) => {
  const error = await ask(200, text).catch((one: unknown) => one);
  expect(error).toBeInstanceOf(StartError);
  expect(error).toMatchObject({ message: `What answers at ${service} is no adtrail, or broke off.` });
});

test('where nothing answers it says so', async () => {
  const error = await askService('http://127.0.0.1:1', '/', { headers: {} }).catch((one: unknown) => one);
  expect(error).toBeInstanceOf(StartError);
  expect((error as Error).message).toMatch(
    /^No service answers at http:\/\/127\.0\.0\.1:1: .*\. Start it; its log says/,
  );
});
