/**
 * A sender in a process of its own, to be killed: node sender-process.mjs URL TOKEN FOLDER PREFIX [DOMAIN]. Writes
 * the `tid` of each record that was taken, one a line, until it is ended.
 */
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSender } from '../../../clients/s2s/dist/index.js';
import { fileSpool } from '../../../clients/s2s/dist/spool.js';

const [url, token, folder, prefix, d] = process.argv.slice(2);
const refused = (record, { reason }) => process.stdout.write(`refused ${record.tid} ${reason}\n`);
const store = fileSpool(folder, { maxRecords: 50 });
const sender = createSender({ url, token, store, intervalMs: 20, onRefused: refused });
for (let n = 0; ; n++) {
  const tid = `${prefix}-${n}`;
  const target = d ? { d } : { app_id: 'com.acme.shop' };
  const gaid = '38400000-8cf0-11bd-b23e-10b96e40000d';
  if (sender.click({ ...target, c: 'AbC123', tid, gaid })) process.stdout.write(`${tid}\n`);
  if (n % 20 === 19) await sleep(5);
}
