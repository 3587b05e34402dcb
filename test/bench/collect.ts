/** `make bench-collect`: accepted, durable app events a second through the collector, in batches of 500. */
import fs from 'node:fs';
import { appEvent, SERVER_KEY } from '../support/collect/collect-client';
import { startService, type RunningService } from '../support/service';
import { record } from './record';

const SECONDS = Number(process.env.SECONDS ?? 20);
const SENDERS = Number(process.env.SENDERS ?? 4);
const BATCH = 500;

const say = (text: string) => process.stdout.write(`${text}\n`);
const count = (value: number) => Math.round(value).toLocaleString('en-US');

/** CPU seconds that a process has used. */
function cpuSeconds(pid: number): number {
  const fields = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** A batch with IDs of its own, made of text once and for all: the load must not be the benchmark. */
function template(): (n: number) => string {
  const events = Array.from({ length: BATCH }, (_, i) =>
    appEvent(i % 10 === 0 ? 'install' : i % 3 === 0 ? 'event' : 'open', {
      event_id: `e-@-${i}`,
      install_id: `i-@-${i % 50}`,
      gaid: `38400000-8cf0-11bd-b23e-${String(i).padStart(12, '0')}`,
      ip: '203.0.113.7',
      ua: 'okhttp/4.9',
      device: { model: 'Pixel 8' },
    }),
  );
  const text = JSON.stringify({ events });
  return (n) => text.replaceAll('@', String(n));
}

async function load(
  service: RunningService,
  seconds: number,
  from: number,
): Promise<{ accepted: number; latencies: number[]; batches: number }> {
  const body = template();
  const ends = performance.now() + seconds * 1000;
  const latencies: number[] = [];
  let [n, accepted] = [from, 0];
  await Promise.all(
    Array.from({ length: SENDERS }, async () => {
      while (performance.now() < ends) {
        const asked = performance.now();
        const response = await fetch(`${service.url}/collect/v1/app`, {
          method: 'POST',
          headers: { 'service-key': SERVER_KEY },
          body: body((n += 1)),
        });
        const answer = (await response.json()) as { accepted?: number };
        accepted += answer.accepted ?? 0;
        latencies.push(performance.now() - asked);
      }
    }),
  );
  return { accepted, latencies: latencies.sort((a, b) => a - b), batches: n };
}

async function main(): Promise<void> {
  const service = await startService({ ROLES: 'api,collect', ACCEPT_AFTER: 'log', FSYNC: 'true' }, [
    '--max-semi-space-size=64',
  ]);
  await service.apply({
    accounts: [{ name: 'Bench' }],
    projects: [
      {
        name: 'Bench',
        account: 'Bench',
        timezone: 'UTC',
        server_keys: [SERVER_KEY],
        apps: [{ platform: 'ANDROID', app_id: 'com.acme.shop' }],
      },
    ],
  });
  const { batches } = await load(service, 3, 0);
  const pids = [service.child.pid as number, ...service.enginePids().clickhouse];
  const before = pids.map(cpuSeconds);
  const started = performance.now();
  const { accepted, latencies } = await load(service, SECONDS, batches);
  const elapsed = (performance.now() - started) / 1000;
  const [own = 0, clickhouse = 0] = pids.map((pid, i) => ((cpuSeconds(pid) - (before[i] ?? 0)) / accepted) * 1e6);
  const at = (q: number) => (latencies[Math.floor(latencies.length * q)] ?? 0).toFixed(0);
  say(
    `app events, durable, batches of ${BATCH}, ${SENDERS} senders   ${count(accepted / elapsed)}/s, a batch p50 ` +
      `${at(0.5)} ms, p99 ${at(0.99)} ms`,
  );
  record({ eventService: own, eventStored: clickhouse });
  say(
    `CPU of an event                                service ${own.toFixed(0)} µs, ClickHouse ` +
      `${clickhouse.toFixed(0)} µs`,
  );
  await service.dispose();
}

void main();
