/**
 * `make bench-outbox`: deliveries a second beside installs, from a decision to its postback, what a receiver that hangs
 * costs another one, what a million waiting messages cost, and what sending 1,000 messages a second costs the ingest of
 * clicks.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { appEvent } from '../support/collect/collect-client';
import { readPostgres } from '../support/postgres';
import { startService, type RunningService } from '../support/service';
import { record } from './record';
import type { Counts } from './outbox-receiver';

const SECONDS = Number(process.env.SECONDS ?? 20);
const INSTALLS = Number(process.env.INSTALLS ?? 500);
const PENDING = Number(process.env.PENDING ?? 1_000_000);
const [KEY, TOKEN] = ['server-key-of-the-bench', 'token-of-the-bench'];
const BATCH = 50;
const MESSAGES = Number(process.env.MESSAGES ?? 20_000);
const STEP = 50_000;
/** Deliveries a second while clicks are measured, in parts of a second. */
const RATE = 1_000;
const PARTS = 4;

const say = (text: string) => process.stdout.write(`${text}\n`);
const count = (value: number) => Math.round(value).toLocaleString('en-US');

interface Bench {
  readonly service: RunningService;
  readonly ask: () => Promise<Counts>;
  /** Answers, answers, hangs. */
  readonly ports: readonly [number, number, number];
}

async function startReceiver(): Promise<Omit<Bench, 'service'> & { child: ChildProcess }> {
  const child = fork(path.join(__dirname, 'outbox-receiver.ts'), { execArgv: ['--import', 'tsx'] });
  const [{ ports }] = (await once(child, 'message')) as [{ ports: [number, number, number] }];
  return {
    child,
    ports,
    async ask() {
      const answered = once(child, 'message');
      child.send('counts');
      return ((await answered) as [Counts])[0];
    },
  };
}

/** The document: a postback for each install, and so many webhooks at each port. */
async function configure({ service, ports: [first, second, hangs] }: Bench, isHanging: boolean): Promise<void> {
  const hook = (port: number, name: string, enabled = true) => ({
    url: `http://127.0.0.1:${port}/${name}`,
    events: ['*'],
    enabled,
  });
  await service.apply({
    accounts: [{ name: 'Bench' }],
    partners: [
      {
        name: 'Bench Ads',
        tokens: [TOKEN],
        postbacks: [
          { event: 'install', method: 'GET', url: `http://127.0.0.1:${first}/p?i={install_id}&t={tid}&g={gaid}` },
        ],
      },
    ],
    projects: [
      {
        name: 'Bench',
        account: 'Bench',
        timezone: 'UTC',
        server_keys: [KEY],
        apps: [{ platform: 'ANDROID', app_id: 'com.bench' }],
        domains: [{ name: 'go.bench.example', primary: true }],
        partner_switches: [{ partner: 'Bench Ads', s2s_clicks: true }],
        campaigns: [{ display_id: 'bench', name: 'Bench', partner: 'Bench Ads' }],
        webhooks: [hook(second, 'a'), hook(second, 'b'), hook(hangs, 'c', isHanging)],
      },
    ],
  });
}

/** Sends clicks and then their installs, so many a second; resolves with the installs. */
async function sendInstalls({ service }: Bench, rate: number, seconds: number, round: string): Promise<string[]> {
  const sent: string[] = [];
  const started = performance.now();
  for (let n = 0; n < rate * seconds; n += BATCH) {
    await sleep(Math.max(0, started + (n / rate) * 1000 - performance.now()));
    const ids = Array.from({ length: BATCH }, (_, i) => `${round}-${n + i}`);
    sent.push(...ids);
    await Promise.all(ids.map((id) => click(service, id)));
    const events = ids.map((id) => appEvent('install', { install_id: id, app_id: 'com.bench', gaid: makeGaid(id) }));
    const answer = await fetch(`${service.url}/collect/v1/app`, {
      method: 'POST',
      headers: { 'service-key': KEY },
      body: JSON.stringify({ events }),
    });
    if (answer.status !== 202) throw new Error(`Installs were answered ${answer.status}`);
  }
  return sent;
}

const makeGaid = (id: string) => {
  const [round, n] = id.split('-').map((part) => Number(part).toString(16));
  return `38400000-8cf0-11bd-${round?.padStart(4, '0')}-${n?.padStart(12, '0')}`;
};

async function click(service: RunningService, id: string): Promise<void> {
  const query = `c=bench&tid=${id}&gaid=${makeGaid(id)}&click_time=${Date.now() - 3_600_000}`;
  const answer = await fetch(`${service.url}/v1/click/com.bench?${query}`, { headers: { 'X-Service-Token': TOKEN } });
  if (answer.status !== 200) throw new Error(`A click was answered ${answer.status}`);
  await answer.arrayBuffer();
}

const sumCounts = ({ counts }: Counts) => Object.values(counts).reduce((sum, one) => sum + one, 0);

/** Waits until nothing more arrives. */
async function settled({ ask }: Bench): Promise<void> {
  for (let before = -1; ;) {
    const now = sumCounts(await ask());
    if (now === before) return;
    before = now;
    await sleep(3_000);
  }
}

const quantile = (values: readonly number[], q: number) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * q)] ?? 0;

async function besideInstalls(bench: Bench): Promise<void> {
  const before = sumCounts(await bench.ask());
  const started = performance.now();
  const sent = await sendInstalls(bench, INSTALLS, SECONDS, '2');
  const took = (performance.now() - started) / 1000;
  const during = await bench.ask();
  say(
    `beside installs      ${count(sent.length / took)} installs/s, ${count((sumCounts(during) - before) / took)} ` +
      'deliveries/s',
  );
  await settled(bench);
  const { installs: told } = await bench.ask();
  const decided = await bench.service.rows<{ install_id: string; at: number; since: number }>(
    `SELECT install_id, toUnixTimestamp64Milli(decided_at) AS at,
       toUnixTimestamp64Milli(decided_at) - toUnixTimestamp64Milli(received_at) AS since
     FROM adtrail.installs WHERE startsWith(install_id, '2-')`,
  );
  const waits = decided.map(({ install_id: id, at }) => (told[id] ?? Infinity) - at);
  say(
    `decision to postback p50 ${count(quantile(waits, 0.5))} ms, p99 ${count(quantile(waits, 0.99))} ms; ` +
      `receipt to decision p99 ${count(
        quantile(
          decided.map(({ since }) => since),
          0.99,
        ),
      )} ms`,
  );
}

/** How fast messages arrive at the second port, a second, once so many are due. */
async function drain(bench: Bench, messages: number): Promise<number> {
  const readCount = async () => (await bench.ask()).counts[bench.ports[1]] ?? 0;
  const before = await readCount();
  await fill(bench, messages, bench.ports[1], 0);
  const started = performance.now();
  let arrived = 0;
  while (arrived < messages * 0.9) {
    await sleep(100);
    arrived = (await readCount()) - before;
    if (performance.now() - started > 120_000) break;
  }
  return arrived / ((performance.now() - started) / 1000);
}

/** Puts messages into the outbox as if they were settled, about an event that is; resolves with how fast, a second. */
async function fill({ service, ports }: Bench, messages: number, port: number, dueInHours: number): Promise<number> {
  const db = readPostgres(service);
  const [event] = await service.rows<{ run_id: number; subject: string }>(
    'SELECT toFloat64(run_id) AS run_id, subject FROM adtrail.outbox_events LIMIT 1',
  );
  const name = port === ports[2] ? 'c' : 'a';
  const started = performance.now();
  for (let left = messages; left > 0; left -= STEP)
    await db.rows(
      `INSERT INTO outbox (postback_id, lane, webhook_id, project_id, partner_id, event, run_id, subject, host, due_at)
       SELECT gen_random_uuid(), (random() * 1e15)::bigint, webhook.id, webhook.project_id, 0, 'install', $2, $3, $4,
         now() + make_interval(hours => $5)
       FROM generate_series(1, $1) CROSS JOIN (SELECT * FROM webhooks WHERE url LIKE '%/' || $6) AS webhook`,
      [Math.min(STEP, left), event?.run_id, event?.subject, `127.0.0.1:${port}`, dueInHours, name],
    );
  const took = (performance.now() - started) / 1000;
  await db.close();
  return messages / took;
}

/** Nothing waits any more. */
async function clear({ service }: Bench): Promise<void> {
  const db = readPostgres(service);
  await db.rows('TRUNCATE outbox');
  await db.close();
}

/** Clicks a second that are accepted, in `seconds`. */
async function clicks({ service }: Bench, seconds: number, round: string): Promise<number> {
  const ends = performance.now() + seconds * 1000;
  let n = 0;
  await Promise.all(
    Array.from({ length: 32 }, async () => {
      while (performance.now() < ends) await click(service, `${round}-${(n += 1)}`);
    }),
  );
  return n / seconds;
}

/** What `work` resolves with while RATE messages a second become due, and how many arrived a second. */
async function whileSending(bench: Bench, work: () => Promise<number>): Promise<[number, number]> {
  const before = sumCounts(await bench.ask());
  const started = performance.now();
  let isOver = false;
  const filling = (async () => {
    for (let parts = 1; !isOver; parts++) {
      await fill(bench, RATE / PARTS, bench.ports[1], 0);
      await sleep(Math.max(0, started + (parts * 1000) / PARTS - performance.now()));
    }
  })();
  const result = await work();
  isOver = true;
  await filling;
  const seconds = (performance.now() - started) / 1000;
  return [result, (sumCounts(await bench.ask()) - before) / seconds];
}

async function main(): Promise<void> {
  const service = await startService({ OUTBOX_ALLOW_PRIVATE: '127.0.0.1/32', ACCEPT_AFTER: 'log', FSYNC: 'true' }, [
    '--max-semi-space-size=64',
  ]);
  const receiver = await startReceiver();
  const bench = { service, ...receiver };
  await configure(bench, false);
  await sendInstalls(bench, BATCH, 2, '1');
  await settled(bench);

  await drain(bench, MESSAGES / 4);
  const alone = await drain(bench, MESSAGES);
  // Its receiver takes part of both.
  record({ message: (os.availableParallelism() * 1e6) / alone });
  say(`alone                ${count(alone)} deliveries/s`);
  await configure(bench, true);
  await fill(bench, MESSAGES, bench.ports[2], 0);
  const beside = await drain(bench, MESSAGES);
  say(`beside one that hangs ${count(beside)} deliveries/s, ${(beside / alone).toFixed(2)} of alone`);
  await configure(bench, false);
  await sleep(15_000);

  const empty = await fill(bench, MESSAGES, bench.ports[1], 24);
  await fill(bench, PENDING, bench.ports[1], 24);
  const full = await fill(bench, MESSAGES, bench.ports[1], 24);
  const amongMany = await drain(bench, MESSAGES);
  say(
    `${count(PENDING)} waiting     put in ${(full / empty).toFixed(2)}, delivered ` +
      `${(amongMany / alone).toFixed(2)} of an empty queue`,
  );
  await clear(bench);

  await besideInstalls(bench);

  const idle = [await clicks(bench, SECONDS / 2, '6')];
  const [busy, sent] = await whileSending(bench, () => clicks(bench, SECONDS, '7'));
  idle.push(await clicks(bench, SECONDS / 2, '8'));
  const ofIdle = (busy / ((idle[0] as number) + (idle[1] as number))) * 2;
  say(
    `clicks/s             ${idle.map(count).join(' and ')} idle, ${count(busy)} while it sends ${count(sent)}/s: ` +
      ofIdle.toFixed(2),
  );
  receiver.child.kill();
  await service.dispose();
}

void main();
