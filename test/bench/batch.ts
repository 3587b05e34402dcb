/**
 * `make bench-batch`: durable clicks a second by batches against single requests, in alternating rounds; batches that
 * are all repeats; and how long a batch of 10,000 holds the event loop.
 */
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { heldFor } from '../support/http/event-loop';
import type { RunningService } from '../support/service';
import { count, load, median, readPort, ROUNDS, say, SECONDS, SETTLE_MS, startBench, TOKEN } from './ingest-setup';

const SENDERS = 4;
const RECORDS = 500;
const LARGE = 10_000;
const CAMPAIGNS = 50;
const UA = 'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36';
const agent = new Agent({ keepAlive: true, maxSockets: SENDERS });

/** A batch of clicks like those of `make bench-ingest`, one a line. */
function batch(round: string, from: number, records: number): string {
  let lines = '';
  for (let n = from; n < from + records; n++)
    lines +=
      `{"kind":"click","app_id":"com.bench.app","c":"bench${n % CAMPAIGNS}","s2":"placement-7","s3":"creative-42",` +
      `"ua":"${UA}","tid":"${round}-${n}","gaid":"38400000-8cf0-11bd-b23e-${n.toString(16).padStart(12, '0')}",` +
      `"ip":"203.0.${n % 250}.${(n >> 8) % 250}","click_time":${Date.now()}}\n`;
  return lines;
}

/** The same as a JSON array. */
const asArray = (lines: string) => `[${lines.trimEnd().replaceAll('\n', ',')}]`;

/** Resolves with how many records were accepted. */
function send(port: number, body: string): Promise<number> {
  const type = body.startsWith('[') ? 'application/json' : 'application/x-ndjson';
  const headers = { 'X-Service-Token': TOKEN, 'Content-Type': type };
  return new Promise((resolve, reject) => {
    const sent = request({ port, host: '127.0.0.1', path: '/v1/batch', method: 'POST', agent, headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (chunk: string) => (text += chunk));
      answer.on('end', () => resolve((JSON.parse(text) as { accepted: number }).accepted));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Clicks a second by batches, each of which `read` gives, from several senders for the time of a round. */
async function perSecond(port: number, read: () => string): Promise<number> {
  const started = performance.now();
  let accepted = 0;
  const sender = async () => {
    while (performance.now() - started < SECONDS * 1000) {
      // Read before the sum, which others change meanwhile.
      const taken = await send(port, read());
      accepted += taken;
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, sender));
  return (accepted / (performance.now() - started)) * 1000;
}

async function compare(service: RunningService): Promise<void> {
  const port = readPort(service);
  const rounds = { singles: [] as number[], fresh: [] as number[], repeated: [] as number[] };
  await load(port, { seconds: 3 });
  for (let i = 0; i < ROUNDS; i++) {
    const round = `batch-${i}-${Date.now()}`;
    let next = 0;
    rounds.singles.push((await load(port, {})).perSecond);
    await sleep(SETTLE_MS);
    rounds.fresh.push(await perSecond(port, () => batch(round, (next += RECORDS), RECORDS)));
    await sleep(SETTLE_MS);
    let again = 0;
    const sent = next;
    rounds.repeated.push(await perSecond(port, () => batch(round, (again += RECORDS) % sent, RECORDS)));
    await sleep(SETTLE_MS);
    const [singles, fresh, repeated] = [rounds.singles[i], rounds.fresh[i], rounds.repeated[i]].map((one) =>
      count(one ?? 0),
    );
    say(`  round ${i + 1}: single requests ${singles}/s, batches ${fresh}/s, repeated batches ${repeated}/s`);
  }
  const [singles, fresh, repeated] = [median(rounds.singles), median(rounds.fresh), median(rounds.repeated)];
  say(`clicks, durable, single requests       ${count(singles)}/s`);
  say(
    `clicks, durable, batches of ${RECORDS}        ${count(fresh)}/s   ratio to single requests ` +
      `${(fresh / singles).toFixed(2)}, ${SENDERS} senders`,
  );
  say(
    `the same batches again                 ${count(repeated)}/s   ratio to new ones ${(repeated / fresh).toFixed(2)}`,
  );
}

async function main(): Promise<void> {
  const service = await startBench();
  await compare(service);
  let large = 0;
  for (const [form, write] of [
    ['lines', (lines: string) => lines],
    ['an array', asArray],
  ] as const) {
    const sendLarge = () => send(readPort(service), write(batch(`large-${large++}`, 0, LARGE)));
    const held = await heldFor(service, sendLarge, 20);
    say(`a batch of ${count(LARGE)} as ${form}`.padEnd(38) + ` holds the event loop for ${held.toFixed(1)} ms at most`);
  }
  await service.dispose();
}

void main();
