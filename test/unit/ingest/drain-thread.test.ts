/** The thread that brings the ingest log to ClickHouse fails, and another one goes on with what it had been told. */
import fs from 'node:fs';
import path from 'node:path';
import { IngestLog, type IngestLogOptions } from '../../../src/ingest/log/ingest-log';
import { temporaryFolder } from '../../support/paths';
import { eventually } from '../../support/waiting';

const target = { table: 'clicks', columns: ['click_id', 'tid'] };
/** Notes what it is told, ends at the first of it as long as there is a file `fails`, and then says that it is done. */
const THREAD = `
const fs = require('node:fs');
const { parentPort, workerData: { root } } = require('node:worker_threads');
fs.appendFileSync(root + '/told', 'start\\n');
parentPort.on('message', (message) => {
  fs.appendFileSync(root + '/told', message.type + '\\n');
  if (message.type === 'stop') return parentPort.postMessage({ type: 'stopped' });
  if (fs.existsSync(root + '/fails')) throw new Error('out of memory');
  const { folder, segment } = message;
  const end = fs.statSync(root + '/' + folder + '/' + segment).size;
  const drained = { folder, segment, table: 'clicks', end, rows: 1, bytes: end, repeats: 0, seconds: 0 };
  parentPort.postMessage({ type: 'onDrained', args: [drained] });
});
`;

test('a thread that fails is followed by another, which is told of everything that waits', async () => {
  const folder = temporaryFolder();
  const root = path.join(folder, 'log');
  const threadFile = path.join(folder, 'thread.js');
  fs.mkdirSync(root);
  fs.writeFileSync(threadFile, THREAD);
  fs.writeFileSync(path.join(root, 'fails'), '');
  const errors: string[] = [];
  const ignore = () => undefined;
  const log = { info: ignore, warn: ignore, error: (message: string) => errors.push(message) };
  const options = {
    root,
    threadFile,
    clickhouseUrl: 'http://127.0.0.1:1',
    clickhousePassword: undefined,
    clustered: false,
    sync: false,
    maxBytes: 1_000_000,
    acceptAfter: 'clickhouse',
    acceptTimeoutMs: 60_000,
    earliestOpenReceipt: () => Date.now(),
    events: {
      onSync: ignore,
      onWrite: ignore,
      onStored: ignore,
      onSetAside: ignore,
      onEmptied: () => Promise.resolve(),
    },
    log,
  } as unknown as IngestLogOptions;
  const ingestLog = new IngestLog(options);
  const told = () => fs.readFileSync(path.join(root, 'told'), 'utf8').trim().split('\n');
  const stored = ingestLog.stream(target).add('["id","tid"]', Date.now());
  await eventually('two threads have failed', () => (errors.length >= 2 ? true : undefined));
  expect(errors[0]).toBe('The thread that drains the ingest log failed: out of memory');
  expect(ingestLog.watermark()).toBeLessThan(Date.now());
  fs.rmSync(path.join(root, 'fails'));
  await stored;
  expect(told().filter((one) => one === 'start').length).toBeGreaterThanOrEqual(3);
  await ingestLog.close(100);
  ingestLog.removeFolder();
  fs.rmSync(folder, { recursive: true });
}, 60_000);
