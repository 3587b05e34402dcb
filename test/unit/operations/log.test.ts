/** What a line of the log holds: enough to act upon, and nothing that a caller sent. */
import Router from '@koa/router';
import { createApp, logErrors } from '../../../src/http/apps';
import { listen, type HttpServer } from '../../../src/http/server';
import { createLog } from '../../../src/lib/log';

const lines: Record<string, unknown>[] = [];
const destination = { write: (line: string) => lines.push(JSON.parse(line) as Record<string, unknown>) };
beforeEach(() => (lines.length = 0));

test('a line is a JSON object with time, level and message', () => {
  createLog('info', destination).info('Listening');
  expect(lines).toEqual([{ level: 'info', time: expect.any(String) as string, pid: process.pid, msg: 'Listening' }]);
  expect(new Date(lines[0]?.time as string).toISOString()).toBe(lines[0]?.time);
});

test('less serious messages than the level are left out', () => {
  const log = createLog('warn', destination);
  log.info('left out');
  log.warn('kept');
  expect(lines.map(({ msg }) => msg)).toEqual(['kept']);
});

test('an error is logged by its type, message and stack, and without its other fields', () => {
  createLog('info', destination).error({ err: Object.assign(new TypeError('broken'), { query: 'secret' }) }, 'Failed');
  expect(lines[0]).toMatchObject({ level: 'error', msg: 'Failed', err: { type: 'TypeError', message: 'broken' } });
  expect((lines[0]?.err as { stack: string }).stack).toContain('log.test');
  expect(JSON.stringify(lines)).not.toContain('secret');
});

describe('a request that fails', () => {
  let server: HttpServer;
  beforeAll(async () => {
    const router = new Router();
    router.get('/things/:id', () => Promise.reject(new Error('broken')));
    const onRefusal = () => undefined;
    const options = { onError: logErrors(createLog('info', destination)), onRefusal, isClosing: () => false };
    server = await listen(createApp(options, [], [router]).callback(), { host: '127.0.0.1', port: 0 }, onRefusal);
  });
  afterAll(() => server.close());

  const ask = (headers: Record<string, string>) =>
    fetch(`http://127.0.0.1:${server.port}/things/personal?token=secret`, { headers });

  test('is logged with its route, and the ID that the proxy gave it', async () => {
    const response = await ask({ 'X-Request-Id': 'proxy-1' });
    expect(response.status).toBe(500);
    expect(response.headers.get('x-request-id')).toBe('proxy-1');
    expect(lines).toMatchObject([
      { requestId: 'proxy-1', method: 'GET', route: '/things/:id', msg: 'A request failed' },
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/personal|secret/);
  });

  test.each([{}, { 'X-Request-Id': 'not an ID' }])('has an ID of ours where there is none (%j)', async (headers) => {
    const response = await ask(headers as Record<string, string>);
    expect(lines[0]?.requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(response.headers.get('x-request-id')).toBe(lines[0]?.requestId);
  });
});
