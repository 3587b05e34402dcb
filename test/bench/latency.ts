/**
 * `make bench-latency`: what the weight of the engine's process, beside the service's, does to latency at half load, to
 * full load, to tracking links, and to a statement of ClickHouse meanwhile; in alternating rounds of one service.
 */
import fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunningService } from '../support/service';
import {
  count,
  DOMAIN,
  load,
  median,
  readPort,
  ROUNDS,
  say,
  SECONDS,
  SETTLE_MS,
  startBareKoa,
  startBench,
  WARM_UP_SECONDS,
} from './ingest-setup';

/** Nice values of the engine's autogroup, see sched(7). */
const WEIGHTS = (process.env.WEIGHTS ?? '0,5,10,19').split(',').map(Number);
const RATE = Number(process.env.RATE ?? 9_000);
const STATEMENT =
  'SELECT campaign_id, count(), uniqExact(tid) FROM adtrail.clicks WHERE received_at > now() - 60 GROUP BY 1';

const NAMES = ['p50', 'p99', 'statement', 'late', 'full', 'fullLate', 'links', 'linksP50'] as const;

type Round = Readonly<Record<(typeof NAMES)[number], number>>;

const weigh = (service: RunningService, weight: number) => {
  for (const pid of service.enginePids().clickhouse) fs.writeFileSync(`/proc/${pid}/autogroup`, String(weight));
};

/** Milliseconds of a statement over the last minute, asked twice a second while `during` runs. */
async function timeStatements(service: RunningService, during: Promise<unknown>): Promise<number> {
  const times: number[] = [];
  let isOver = false;
  void during.finally(() => (isOver = true));
  while (!isOver) {
    const asked = performance.now();
    await service.rows(STATEMENT);
    times.push(performance.now() - asked);
    await sleep(500);
  }
  return median(times);
}

/** How long after its receipt the insert of a record began: p99 of the last seconds, in milliseconds. */
async function readLateness(service: RunningService): Promise<number> {
  const [late] = await service.rows<{ p99: number }>(
    `SELECT quantileExact(0.99)(dateDiff('millisecond', received_at, stored_at)) AS p99 FROM adtrail.clicks
     WHERE received_at > now64(3) - INTERVAL ${SECONDS} SECOND`,
  );
  return Number(late?.p99);
}

async function playRound(service: RunningService, weight: number): Promise<Round> {
  weigh(service, weight);
  const port = readPort(service);
  const half = load(port, { rate: RATE, seconds: WARM_UP_SECONDS + SECONDS, warmUpSeconds: WARM_UP_SECONDS });
  const statement = await timeStatements(service, half);
  const { p50, p99 } = await half;
  const late = await readLateness(service);
  await sleep(SETTLE_MS);
  const full = await load(port, {});
  const fullLate = await readLateness(service);
  await sleep(SETTLE_MS);
  const links = await load(port, { target: '/?c=bench{campaign}&s2=placement-7', host: DOMAIN, connections: 256 });
  await sleep(SETTLE_MS);
  return { p50, p99, statement, late, full: full.perSecond, fullLate, links: links.perSecond, linksP50: links.p50 };
}

async function main(): Promise<void> {
  const [service, koa] = await Promise.all([startBench(), startBareKoa()]);
  await load(readPort(service), { seconds: 5 });
  const rounds = new Map<number, Round[]>(WEIGHTS.map((weight) => [weight, []]));
  const bare: number[] = [];
  for (let i = 0; i < ROUNDS; i++) {
    bare.push((await load(koa.port, { target: '' })).perSecond);
    for (const weight of WEIGHTS) {
      const round = await playRound(service, weight);
      rounds.get(weight)?.push(round);
      const read = (name: keyof Round) => `${name} ${round[name].toFixed(1)}`;
      say(`  round ${i + 1}, nice ${weight}: ${NAMES.map(read).join(', ')}`);
    }
  }
  const koaRate = median(bare);
  say(`bare Koa ${count(koaRate)}/s; at ${count(RATE)}/s, medians of ${ROUNDS} rounds of ${SECONDS} s`);
  for (const [weight, all] of rounds) {
    const read = (name: keyof Round) => median(all.map((one) => one[name]));
    const show = (name: keyof Round) => `${count(read(name))}/s (${(read(name) / koaRate).toFixed(2)})`;
    say(
      `nice ${String(weight).padEnd(3)} p50 ${read('p50').toFixed(1)} ms, p99 ${read('p99').toFixed(1)} ms, ` +
        `statement ${read('statement').toFixed(0)} ms, inserts begin after p99 ${read('late').toFixed(0)} ms; ` +
        `full ${show('full')}, after ${read('fullLate').toFixed(0)} ms; ` +
        `links ${show('links')}, p50 ${read('linksP50').toFixed(1)} ms`,
    );
  }
  koa.child.kill();
  await service.dispose();
}

void main();
