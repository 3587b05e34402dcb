/**
 * `make bench-latency`: ways to a steadier latency, each in a service of its own and in alternating rounds: what they
 * do at half load, to a statement of ClickHouse meanwhile, to full load, and to tracking links.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunningService } from '../support/service';
import {
  count,
  DOMAIN,
  load,
  median,
  NPM_START_FLAGS,
  readPort,
  ROUNDS,
  say,
  SECONDS,
  SETTLE_MS,
  startBareKoa,
  startBench,
  WARM_UP_SECONDS,
} from './ingest-setup';

interface Way {
  readonly env?: NodeJS.ProcessEnv;
  readonly flags?: readonly string[];
  /** What is said to ClickHouse first. */
  readonly statement?: string;
}
const ALL: Readonly<Record<string, Way>> = {
  'as delivered': {},
  'nice 0': { env: { CLICKHOUSE_NICE: '0' } },
  'nice 19': { env: { CLICKHOUSE_NICE: '19' } },
  'no merges': { statement: 'SYSTEM STOP MERGES' },
  'derived every 4 s': { env: { DERIVE_PAUSE_MS: '4000' } },
  '16 threads of libuv': { env: { UV_THREADPOOL_SIZE: '16' } },
  'one thread of libuv': { env: { UV_THREADPOOL_SIZE: '1' } },
  'new space of 16 MB': { flags: ['--max-semi-space-size=16'] },
};
const WAYS = process.env.WAYS?.split(',') ?? Object.keys(ALL);
const RATE = Number(process.env.RATE ?? 9_000);
const STATEMENT =
  'SELECT campaign_id, count(), uniqExact(tid) FROM adtrail.clicks WHERE received_at > now() - 60 GROUP BY 1';

const NAMES = ['p50', 'p99', 'statement', 'late', 'full', 'fullLate', 'links', 'linksP50'] as const;

type Round = Readonly<Record<(typeof NAMES)[number], number>>;

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

async function playRound({ env = {}, flags = NPM_START_FLAGS, statement: first }: Way): Promise<Round> {
  const service = await startBench(env, flags);
  const port = readPort(service);
  if (first) await service.clickhouse.command({ query: first });
  await load(port, { seconds: 3 });
  await sleep(SETTLE_MS);
  const half = load(port, { rate: RATE, seconds: WARM_UP_SECONDS + SECONDS, warmUpSeconds: WARM_UP_SECONDS });
  const statement = await timeStatements(service, half);
  const { p50, p99 } = await half;
  const late = await readLateness(service);
  await sleep(SETTLE_MS);
  const full = await load(port, {});
  const fullLate = await readLateness(service);
  await sleep(SETTLE_MS);
  const links = await load(port, { target: '/?c=bench{campaign}&s2=placement-7', host: DOMAIN, connections: 256 });
  await service.dispose();
  return { p50, p99, statement, late, full: full.perSecond, fullLate, links: links.perSecond, linksP50: links.p50 };
}

async function main(): Promise<void> {
  const koa = await startBareKoa();
  const rounds = new Map<string, Round[]>(WAYS.map((name) => [name, []]));
  const bare: number[] = [];
  for (let i = 0; i < ROUNDS; i++) {
    bare.push((await load(koa.port, { target: '' })).perSecond);
    for (const name of WAYS) {
      const round = await playRound(ALL[name] as Way);
      rounds.get(name)?.push(round);
      say(`  round ${i + 1}, ${name}: ${NAMES.map((one) => `${one} ${round[one].toFixed(1)}`).join(', ')}`);
    }
  }
  const koaRate = median(bare);
  say(`bare Koa ${count(koaRate)}/s; at ${count(RATE)}/s, medians of ${ROUNDS} rounds of ${SECONDS} s`);
  say('| | p50, p99 in ms | statement in ms | inserts begin after p99 | full, to bare Koa | links, to it, p50 in ms |');
  say('| --- | ---: | ---: | ---: | ---: | ---: |');
  for (const [name, all] of rounds) {
    const read = (one: keyof Round, digits = 0) => median(all.map((round) => round[one])).toFixed(digits);
    const share = (one: 'full' | 'links') => (Number(read(one)) / koaRate).toFixed(2);
    say(
      `| ${name} | ${read('p50', 1)}, ${read('p99')} | ${read('statement')} | ${read('late')} ms | ` +
        `${share('full')} | ${share('links')}, ${read('linksP50', 1)} |`,
    );
  }
  koa.child.kill();
}

void main();
