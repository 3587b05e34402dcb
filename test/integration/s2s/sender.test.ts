/** The kit for senders against the service: batches, refusals, limits, a service that is away, a spool. */
import fs from 'node:fs';
import path from 'node:path';
import { createSender, type Refusal, type SenderOptions, type SentRecord } from '../../../clients/s2s/src/index';
import { fileSpool } from '../../../clients/s2s/src/spool';
import { startGateway } from '../../support/s2s/gateway';
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

test('what may be sent again is, after the time that is named; what may not is refused', async () => {
  const gateway = await startGateway(
    service,
    (number) =>
      [
        { status: 0 },
        { status: 503, headers: { 'Retry-After': '1' } },
        { status: 502 },
        { status: 429 },
        undefined,
        { status: 413 },
      ][number],
  );
  const problems: string[] = [];
  const sender = start({ url: gateway.url, onRetry: ({ message }) => void problems.push(message) });
  const prefix = newTid('kit');
  sender.click({ ...target, tid: prefix, gaid: GAID });
  await sender.flush();
  expect(problems.slice(1)).toEqual(['HTTP 503', 'HTTP 502', 'HTTP 429']);
  expect((gateway.batches[2]?.at ?? 0) - (gateway.batches[1]?.at ?? 0)).toBeGreaterThanOrEqual(1_000);
  expect(await countStored('click', prefix)).toEqual([1, 1]);
  sender.click({ ...target, tid: 'too large', gaid: GAID });
  expect(await sender.close()).toBe(0);
  expect(refused).toEqual([['too large', { code: 413, reason: 'unavailable' }]]);
  gateway.stop();
});

test('a spool keeps what is not accepted for the next process, whole lines only', async () => {
  const gateway = await startGateway(service, () => ({ status: 0 }));
  const prefix = newTid('spool');
  const first = start({ url: gateway.url, store: fileSpool(folder, { maxRecords: 3 }) });
  for (let n = 0; n < 10; n++) first.click({ ...target, tid: `${prefix}-${n}`, gaid: GAID });
  expect(await first.close(50)).toBe(10);
  gateway.stop();
  // A process that was killed while it wrote a record.
  fs.writeFileSync(path.join(folder, '000000000099-1.ndjson'), '{"kind":"click","tid":"half');
  const second = start({ store: fileSpool(folder) });
  expect(second.size).toBe(10);
  await eventually('what was left is sent without a further record', () => (second.size === 0 ? true : undefined));
  expect(await second.close()).toBe(0);
  expect(refused).toEqual([]);
  expect(await countStored('click', prefix)).toEqual([10, 10]);
  expect(fs.readdirSync(folder)).toEqual([]);
});
