/**
 * `make bench-ingest WORKERS=2,4`: durable clicks a second with more HTTP workers, and with three processes of
 * `ROLES=s2s` behind haproxy, against one process, in alternating rounds on one machine. Each is started for its round
 * alone, since its engine still derives from its clicks afterwards; the load, the engine and the balancer share the
 * cores.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startBeside } from '../support/shared-service';
import { freePort, temporaryFolder, type RunningService } from '../support/service';
import {
  AS_DELIVERED,
  count,
  load,
  median,
  readPort,
  ROUNDS,
  say,
  SETTLE_MS,
  startBench,
  WARM_UP_SECONDS,
} from './ingest-setup';

const PROCESSES = 3;

interface Contender {
  readonly name: string;
  readonly port: number;
  readonly stop: () => Promise<void>;
}

async function startWorkers(workers: number): Promise<Contender> {
  const service = await startBench({ WORKERS: String(workers) });
  return { name: `WORKERS=${workers}`, port: readPort(service), stop: () => service.dispose() };
}

/** One process with the engines and all other roles, and three that take clicks. */
async function startBalanced(): Promise<Contender> {
  const main = await startBench();
  const env = { ...AS_DELIVERED, ROLES: 's2s' };
  const others: RunningService[] = [];
  for (let n = 0; n < PROCESSES; n++) others.push(await startBeside(main, env));
  const [port, folder] = [await freePort(), temporaryFolder()];
  const balancer = startBalancer(path.join(folder, 'haproxy.cfg'), port, others.map(readPort));
  await untilAnswers(port);
  return {
    name: `${PROCESSES} processes, haproxy`,
    port,
    async stop() {
      balancer.kill();
      await once(balancer, 'exit');
      for (const one of others) await one.dispose();
      await main.dispose();
      fs.rmSync(folder, { recursive: true });
    },
  };
}

function startBalancer(file: string, port: number, servers: readonly number[]): ChildProcess {
  const lines = [
    'global',
    '  maxconn 4096',
    'defaults',
    '  mode http',
    '  timeout connect 5s',
    '  timeout client 60s',
    '  timeout server 60s',
    'listen clicks',
    `  bind 127.0.0.1:${port}`,
    '  balance leastconn',
    ...servers.map((one, n) => `  server process${n} 127.0.0.1:${one}`),
  ];
  fs.writeFileSync(file, `${lines.join('\n')}\n`);
  return spawn('haproxy', ['-f', file], { stdio: ['ignore', 'inherit', 'inherit'] });
}

async function untilAnswers(port: number): Promise<void> {
  while (!(await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => undefined))) await sleep(50);
}

/** `workers`: numbers with commas between them. */
export async function scale(workers: string): Promise<void> {
  const counts = [
    1,
    ...workers
      .split(',')
      .map(Number)
      .filter((one) => one > 1),
  ];
  const starts = counts.map((one) => () => startWorkers(one));
  if (spawnSync('haproxy', ['-v']).status === 0) starts.push(startBalanced);
  else say('haproxy is not installed: three processes behind it are left out');
  const rounds = new Map<string, number[]>();
  for (let i = 0; i < ROUNDS; i++)
    for (const start of starts) {
      const { name, port, stop } = await start();
      await load(port, { seconds: WARM_UP_SECONDS });
      await sleep(SETTLE_MS);
      rounds.set(name, [...(rounds.get(name) ?? []), (await load(port, {})).perSecond]);
      await stop();
    }
  const medians = [...rounds].map(([name, values]) => ({ name, perSecond: median(values) }));
  const one = medians[0]?.perSecond ?? NaN;
  say(`durable clicks on ${os.availableParallelism()} cores, median of ${ROUNDS} alternating rounds`);
  say('| processes that take clicks | clicks/s | to one process |\n| --- | ---: | ---: |');
  for (const { name, perSecond } of medians) say(`| ${name} | ${count(perSecond)} | ${(perSecond / one).toFixed(2)} |`);
}
