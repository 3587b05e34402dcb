/** The kit for senders against the service: batches, refusals, limits, a service that is away, a spool. */
import { createServer, type Server } from 'node:http';
import fs from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { createSender, type Refusal, type SenderOptions, type SentRecord } from '../../../clients/s2s/src/index';
import { fileSpool } from '../../../clients/s2s/src/spool';
import { newTid, PUBLIC_IP, UA, VIEWS, type Endpoint } from '../../support/s2s/s2s-client';
import { sharedService } from '../../support/shared-service';
import { eventually, temporaryFolder } from '../../support/service';
import { ownNames } from '../../support/workspace/own-names';
import { GAID, TOKEN, workspace } from '../../support/workspace/workspace';

const service = sharedService();
const own = ownNames('s2s-sender');
const target = { d: own('go.acme.example'), c: 'AbC123' };
const folder = temporaryFolder();
beforeAll(() => service.apply(own.document(workspace)));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

const refused: [unknown, Refusal][] = [];
const start = (more: Partial<SenderOptions> = {}) =>
  createSender({
    url: service.url,
    token: own(TOKEN),
    intervalMs: 20,
    onRefused: ({ tid }: SentRecord, refusal) => void refused.push([tid, refusal]),
    ...more,
  });
beforeEach(() => void refused.splice(0));

const countStored = async (endpoint: Endpoint, prefix: string) => {
  const [row] = await service.rows<{ rows: number; records: number }>(
    `SELECT count() AS rows, uniqExact(tid) AS records FROM ${VIEWS[endpoint]} WHERE startsWith(tid, '${prefix}')`,
  );
  return [Number(row?.rows), Number(row?.records)];
};

test('records of all kinds are sent in batches, once; those refused reach the callback with their reason', async () => {
  const prefix = newTid('kit');
  const sender = start({ maxRecords: 70 });
  for (let n = 0; n < 200; n++) {
    expect(sender.click({ ...target, tid: `${prefix}-${n}`, gaid: GAID, s2: null })).toBe(true);
    if (n % 4 === 0) sender.impression({ ...target, tid: `${prefix}-${n}`, gaid: GAID });
    if (n % 5 === 0) sender.ctvImpression({ ...target, tid: `${prefix}-${n}`, ip: PUBLIC_IP, ua: UA });
    if (n % 50 === 0) sender.click({ ...target, tid: `${prefix}-bad-${n}`, c: 'nope', gaid: GAID });
  }
  await sender.flush();
  expect(sender.size).toBe(0);
  expect(await countStored('click', prefix)).toEqual([200, 200]);
  expect(await countStored('impression', prefix)).toEqual([50, 50]);
  expect(await countStored('ctv', prefix)).toEqual([40, 40]);
  expect(refused).toEqual(
    [0, 50, 100, 150].map((n) => [`${prefix}-bad-${n}`, { code: 400, reason: 'unknown_campaign' }]),
  );
  expect(await sender.close()).toBe(0);
  expect(() => sender.click({})).toThrow('closed');
});

test('a wrong token refuses every record; full memory says so', async () => {
  const sender = start({ token: 'wrong', maxHeldBytes: 1_000, intervalMs: 60_000 });
  const record = { ...target, tid: newTid('kit'), gaid: GAID };
  let taken = 0;
  while (sender.click(record)) taken += 1;
  expect(taken).toBe(sender.size);
  expect(await sender.close()).toBe(0);
  expect(refused).toEqual(Array.from({ length: taken }, () => [record.tid, { code: 401, reason: 'invalid_token' }]));
});

/** A server in front of the service that answers as it is told, and hands on what it is not. */
async function startGateway(answers: readonly (readonly [status: number, headers: Record<string, string>])[]) {
  const left = [...answers];
  const times: number[] = [];
  const server: Server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      times.push(Date.now());
      const [status, headers] = left.shift() ?? [200, {}];
      if (status === 0) res.destroy();
      else if (status !== 200) res.writeHead(status, headers).end('{"reason":"unavailable"}');
      else
        void service
          .request('/v1/batch', {
            method: 'POST',
            headers: { 'X-Service-Token': own(TOKEN) },
            body: Buffer.concat(chunks).toString(),
          })
          .then(async (answer) => res.writeHead(answer.status).end(await answer.text()));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, times, stop: () => server.close() };
}

test('what may be sent again is, after the time that is named; what may not is refused', async () => {
  const gateway = await startGateway([
    [0, {}],
    [503, { 'Retry-After': '1' }],
    [502, {}],
    [429, {}],
    [200, {}],
    [413, {}],
  ]);
  const problems: string[] = [];
  const sender = start({ url: gateway.url, onRetry: ({ message }) => void problems.push(message) });
  const prefix = newTid('kit');
  sender.click({ ...target, tid: prefix, gaid: GAID });
  await sender.flush();
  expect(problems.slice(1)).toEqual(['HTTP 503', 'HTTP 502', 'HTTP 429']);
  expect((gateway.times[2] ?? 0) - (gateway.times[1] ?? 0)).toBeGreaterThanOrEqual(1_000);
  expect(await countStored('click', prefix)).toEqual([1, 1]);
  sender.click({ ...target, tid: 'too large', gaid: GAID });
  expect(await sender.close()).toBe(0);
  expect(refused).toEqual([['too large', { code: 413, reason: 'unavailable' }]]);
  gateway.stop();
});

test('a spool keeps what is not accepted for the next process, whole lines only, and one process has it', async () => {
  const gateway = await startGateway(Array.from({ length: 100 }, () => [0, {}] as const));
  const prefix = newTid('spool');
  const first = start({ url: gateway.url, store: fileSpool(folder, { maxRecords: 3 }) });
  for (let n = 0; n < 10; n++) first.click({ ...target, tid: `${prefix}-${n}`, gaid: GAID });
  expect(await first.close(50)).toBe(10);
  gateway.stop();
  // A process that was killed while it wrote a record.
  fs.writeFileSync(path.join(folder, '000000000099-1.ndjson'), '{"kind":"click","tid":"half');
  fs.writeFileSync(path.join(folder, 'lock'), String(process.ppid));
  expect(() => fileSpool(folder)).toThrow(`used by the process ${process.ppid}`);
  fs.rmSync(path.join(folder, 'lock'));
  const second = start({ store: fileSpool(folder) });
  expect(second.size).toBe(10);
  await eventually('what was left is sent without a further record', () => (second.size === 0 ? true : undefined));
  expect(await second.close()).toBe(0);
  expect(refused).toEqual([]);
  expect(await countStored('click', prefix)).toEqual([10, 10]);
  expect(fs.readdirSync(folder)).toEqual([]);
});
