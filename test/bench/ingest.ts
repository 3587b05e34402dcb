/**
 * `make bench-ingest`: accepted, durable clicks a second against a bare Koa app on the same machine, in alternating
 * rounds.
 */
import fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunningService } from '../support/service';
import { record } from './record';
import { scale } from './scale';
import {
  CONNECTIONS,
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

const FLAT_SECONDS = Number(process.env.FLAT_SECONDS ?? 60);

const LINK = '/?c=bench{campaign}&s2=placement-7&s3=creative-42';
const LINK_CONNECTIONS = 256;

const rssMb = (service: RunningService) =>
  Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${service.child.pid}/status`, 'utf8'))?.[1]) / 1024;

const cpuSeconds = (pid: number) => {
  const fields = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
};

async function throughput(service: RunningService): Promise<{ fresh: number; koa: number }> {
  const koa = await startBareKoa();
  const rounds = { koa: [] as number[], fresh: [] as number[], retried: [] as number[] };
  await load(koa.port, { seconds: 3, target: '' });
  await load(readPort(service), { seconds: 3 });
  const cpu = { clickhouse: 0, service: 0, clicks: 0 };
  const [clickhouse] = service.enginePids().clickhouse as [number];
  for (let i = 0; i < ROUNDS; i++) {
    rounds.koa.push((await load(koa.port, { target: '' })).perSecond);
    await sleep(SETTLE_MS);
    const before = [cpuSeconds(clickhouse), cpuSeconds(service.child.pid as number)] as const;
    const fresh = await load(readPort(service), {});
    cpu.clickhouse += cpuSeconds(clickhouse) - before[0];
    cpu.service += cpuSeconds(service.child.pid as number) - before[1];
    cpu.clicks += fresh.accepted;
    rounds.fresh.push(fresh.perSecond);
    await sleep(SETTLE_MS);
    rounds.retried.push((await load(readPort(service), { retries: 0.2 })).perSecond);
    say(
      `  round ${i + 1}: bare Koa ${count(rounds.koa[i] ?? 0)}/s, clicks ${count(rounds.fresh[i] ?? 0)}/s, ` +
        `with 20 % retries ${count(rounds.retried[i] ?? 0)}/s`,
    );
  }
  koa.child.kill();
  const [k, f, r] = [median(rounds.koa), median(rounds.fresh), median(rounds.retried)];
  say(`bare Koa, constant JSON                ${count(k)}/s`);
  say(`clicks, durable                        ${count(f)}/s   ratio to bare Koa ${(f / k).toFixed(2)}`);
  say(`clicks, 20 % of them retries           ${count(r)}/s   ratio to without retries ${(r / f).toFixed(2)}`);
  const micros = (seconds: number) => ((seconds / cpu.clicks) * 1e6).toFixed(1);
  say(
    `CPU a click                            ${micros(cpu.service)} µs service, ${micros(cpu.clickhouse)} µs ClickHouse`,
  );
  record({
    clickService: (cpu.service / cpu.clicks) * 1e6,
    clickStored: (cpu.clickhouse / cpu.clicks) * 1e6,
  });
  return { fresh: f, koa: k };
}

/** How long after its receipt the insert of a record began, of the last seconds. */
async function visibility(service: RunningService, what: string): Promise<void> {
  const [late] = await service.rows<{ p50: number; p99: number; worst: number }>(
    `SELECT quantileExact(0.5)(ms) AS p50, quantileExact(0.99)(ms) AS p99, max(ms) AS worst
     FROM (SELECT dateDiff('millisecond', received_at, stored_at) AS ms FROM adtrail.clicks
       WHERE received_at > now64(3) - INTERVAL ${SECONDS} SECOND)`,
  );
  say(
    `insert begins after, ${what}`.padEnd(39) +
      `p50 ${late?.p50} ms, p99 ${late?.p99} ms, longest ${late?.worst} ms; an insert takes some 50 to 150 ms`,
  );
}

async function links(service: RunningService): Promise<void> {
  const koa = await startBareKoa();
  const bare = await load(koa.port, { target: '', connections: LINK_CONNECTIONS });
  const opened = await load(readPort(service), { target: LINK, host: DOMAIN, connections: LINK_CONNECTIONS });
  koa.child.kill();
  say(
    `links, 302 with a durable click        ${count(opened.perSecond)}/s   ratio to bare Koa ` +
      `${(opened.perSecond / bare.perSecond).toFixed(2)}, p50 ${opened.p50.toFixed(1)} ms, refused ${opened.refused}`,
  );
}

async function latency(service: RunningService, rate: number): Promise<void> {
  const half = await load(readPort(service), {
    rate,
    seconds: WARM_UP_SECONDS + SECONDS,
    warmUpSeconds: WARM_UP_SECONDS,
  });
  say(
    `at half that load, ${count(half.perSecond)}/s        p50 ${half.p50.toFixed(1)} ms, ` +
      `p99 ${half.p99.toFixed(1)} ms, refused ${half.refused}`,
  );
}

async function memory(service: RunningService, rate: number): Promise<void> {
  const samples: number[] = [];
  const running = load(readPort(service), { rate, seconds: FLAT_SECONDS });
  let done = false;
  void running.then(() => (done = true));
  while (!done) {
    samples.push(rssMb(service));
    await sleep(2_000);
  }
  const third = Math.floor(samples.length / 3);
  record({ serviceMemory: median(samples.slice(-third)) });
  say(
    `memory of the service over ${FLAT_SECONDS} s       median of the first third ` +
      `${count(median(samples.slice(0, third)))} MB, of the last ${count(median(samples.slice(-third)))} MB`,
  );
}

async function storage(service: RunningService): Promise<void> {
  const [stored] = await service.rows<{ rows: number; records: number }>(
    'SELECT count() AS rows, (SELECT count() FROM analytics.clicks) AS records FROM adtrail.clicks',
  );
  await service.clickhouse.command({ query: 'OPTIMIZE TABLE adtrail.clicks FINAL' });
  const [disk] = await service.rows<{ bytes: number; rows: number }>(
    `SELECT sum(bytes_on_disk) AS bytes, sum(rows) AS rows
     FROM system.parts
     WHERE database = 'adtrail' AND table = 'clicks' AND active`,
  );
  record({ clickBytes: Number(disk?.bytes) / Number(disk?.rows) });
  say(
    `on disk, merged                        ${(Number(disk?.bytes) / Number(disk?.rows)).toFixed(0)} bytes a click ` +
      `(${count(Number(stored?.records))} clicks, ${count(Number(stored?.rows))} rows before merging)`,
  );
}

async function insertSpeed(service: RunningService): Promise<void> {
  const started = performance.now();
  const rows = 500_000;
  await service.clickhouse.command({
    query: `INSERT INTO adtrail.clicks
              (project_id, bucket, campaign_id, click_id, click_time, received_at, tid, version)
            SELECT 1, '2020-01-01', number % 50, generateUUIDv4(number), now64(3), now64(3), toString(number), number
            FROM numbers(${rows})`,
  });
  say(`rows/s into ClickHouse, INSERT SELECT  ${count((rows / (performance.now() - started)) * 1000)}/s`);
}

async function main(): Promise<void> {
  if (process.env.WORKERS !== undefined) return scale(process.env.WORKERS);
  const service = await startBench();
  say(
    `${CONNECTIONS} connections, one HTTP worker, load from a process of its own, ${ROUNDS} alternating rounds of ` +
      `${SECONDS} s`,
  );
  const { fresh } = await throughput(service);
  await visibility(service, 'full load');
  await latency(service, fresh / 2);
  await visibility(service, 'half load');
  await links(service);
  await memory(service, fresh / 2);
  await storage(service);
  await insertSpeed(service);
  await service.dispose();
  const unsynced = await startBench({ FSYNC: 'false' });
  await load(readPort(unsynced), { seconds: 2 });
  const fast = await load(readPort(unsynced), {});
  say(
    `clicks with FSYNC=false                ${count(fast.perSecond)}/s   ratio of FSYNC=true to it ` +
      `${(fresh / fast.perSecond).toFixed(2)}`,
  );
  await unsynced.dispose();
}

void main();
