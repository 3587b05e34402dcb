/** Buckets that do not answer, or not as they should (src/stores/s3-store.ts). */
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import { S3Store, type S3Connections } from '../../../src/stores/s3-store';
import { rounds } from '../../support/soak';

let server: http.Server;
let answer: (request: http.IncomingMessage, response: http.ServerResponse) => void;
let asked: string[];

beforeEach(async () => {
  asked = [];
  server = http.createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    request.resume();
    answer(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

function open(connections: S3Connections = {}) {
  const { port } = server.address() as AddressInfo;
  const access = { endpoint: `http://127.0.0.1:${port}`, region: 'us-east-1', key: 'key', secret: 'secret' };
  return new S3Store('lake', 'shop', access, connections);
}
const silent = () => undefined;
const connections = () =>
  new Promise<number>((resolve, reject) => {
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });

test('what is asked of a bucket that never answers ends with the signal, and so do its connections', async () => {
  answer = silent;
  const controller = new AbortController();
  const store = open(controller);
  const whole = Readable.from([Buffer.alloc(1_000)]);
  // More than one request takes, and never at its end.
  const endless = new PassThrough();
  endless.write(Buffer.alloc(6_000_000));
  const all = [store.has('a'), store.read('a'), store.files('a'), store.write('b', whole), store.write('c', endless)];
  const ended = Promise.allSettled(all);
  while (asked.length < 5) await new Promise((resolve) => setTimeout(resolve, 10));
  controller.abort(new Error('its time is over'));
  const reasons = (await ended).map((one) => (one.status === 'rejected' ? (one.reason as Error).message : one.status));
  expect(reasons).toEqual(Array.from({ length: 5 }, () => 'its time is over'));
  expect(endless.destroyed).toBe(true);
  await expect(store.has('a')).rejects.toThrow('its time is over');
  store.close();
  while ((await connections()) > 0) await new Promise((resolve) => setTimeout(resolve, 10));
}, 30_000);

test('so does an answer that breaks off in the middle', async () => {
  answer = (_request, response) => void response.write('{');
  const controller = new AbortController();
  const body = await open(controller).read('manifest.json');
  body.once('data', () => controller.abort(new Error('its time is over')));
  await expect(body.toArray()).rejects.toThrow();
}, 30_000);

test('a listing without end fails', async () => {
  answer = (_request, response) =>
    response.end(
      '<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>more</NextContinuationToken>' +
        '<Contents><Key>shop/a</Key></Contents></ListBucketResult>',
    );
  // Without a number of its own it is 1,000.
  const mostPages = rounds(20, 1_000);
  const store = open(mostPages === 1_000 ? {} : { mostPages });
  await expect(store.files('r1')).rejects.toThrow(`shop/r1/ has more than ${mostPages} pages of objects`);
  expect(asked).toHaveLength(mostPages + 1);
}, 60_000);

test('what is removed is removed by its key, some at a time; what a bucket does not remove is no success', async () => {
  const keys = Array.from({ length: 40 }, (_, i) => `shop/r1/part-${i}`);
  let [underway, most, denied] = [0, 0, ''];
  answer = ({ method, url = '' }, response) => {
    if (method === 'GET') {
      const listed = keys.map((key) => `<Contents><Key>${key}</Key></Contents>`).join('');
      response.end(`<ListBucketResult>${listed}</ListBucketResult>`);
      return;
    }
    most = Math.max(most, ++underway);
    setTimeout(() => {
      underway -= 1;
      const code = method !== 'DELETE' ? 501 : url.startsWith(`/lake/${denied}?`) ? 403 : 204;
      response.writeHead(code).end(code === 403 ? '<Error><Code>AccessDenied</Code></Error>' : undefined);
    }, 20);
  };
  await open().remove('r1');
  const removed = asked.filter((one) => one.startsWith('DELETE')).map((one) => one.split(/[ ?]/)[1]);
  expect(removed.sort()).toEqual(keys.map((key) => `/lake/${key}`).sort());
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThanOrEqual(16);
  denied = 'shop/r1/part-39';
  await expect(open().remove('r1')).rejects.toMatchObject({ name: 'AccessDenied' });
}, 30_000);
