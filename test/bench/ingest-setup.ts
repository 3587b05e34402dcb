/** What the benchmarks of ingest share: the service with its workspace, a bare Koa app, and the load. */
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort, startService, type RunningService } from '../support/service';
import type { LoadOptions, LoadResult } from './load';

export const CONNECTIONS = 512;
export const ROUNDS = Number(process.env.ROUNDS ?? 5);
export const SECONDS = Number(process.env.SECONDS ?? 8);
/** What an operator gets who sets nothing; the tests' own service waits for ClickHouse. */
export const AS_DELIVERED = { ACCEPT_AFTER: 'log', FSYNC: 'true', CLICKHOUSE_NICE: '10' };
/** What `npm start` gives to node. */
export const NPM_START_FLAGS = ['--max-semi-space-size=64'];
/** The load's own first seconds, while its code is compiled, are not the service's latency. */
export const WARM_UP_SECONDS = 3;
export const TOKEN = 'token-of-the-benchmark';
export const TARGET =
  '/v1/click/com.bench.app?c=bench{campaign}&s2=placement-7&s3=creative-42' +
  '&ua=Mozilla%2F5.0%20(Linux%3B%20Android%2014%3B%20Pixel%208)%20AppleWebKit%2F537.36';
export const DOMAIN = 'go.bench.example';
/** Tables are derived from the clicks of a round for some seconds: the next one must not pay for them. */
export const SETTLE_MS = 4_000;

const tsx = path.join(path.dirname(require.resolve('tsx/package.json')), 'dist', 'cli.mjs');
const node = (file: string, ...args: string[]) => [tsx, path.join(__dirname, file), ...args];
export const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
export const say = (text: string) => process.stdout.write(`${text}\n`);
export const count = (value: number) => Math.round(value).toLocaleString('en-US');

export async function load(port: number, more: Partial<LoadOptions>): Promise<LoadResult> {
  const options: LoadOptions = {
    port,
    connections: CONNECTIONS,
    seconds: SECONDS,
    rate: 0,
    retries: 0,
    round: `${Date.now()}`,
    target: TARGET,
    token: TOKEN,
    campaigns: 50,
    ...more,
  };
  const args = node('load.ts', JSON.stringify(options));
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 64e6 });
  return JSON.parse(stdout) as LoadResult;
}

export async function startBareKoa(): Promise<{ port: number; child: ChildProcess }> {
  const port = await freePort();
  const child = spawn(process.execPath, node('bare-koa.ts', String(port)), { stdio: 'inherit' });
  for (;;) {
    if (await fetch(`http://127.0.0.1:${port}`).catch(() => undefined)) return { port, child };
    await sleep(50);
  }
}

export const startBench = async (env: NodeJS.ProcessEnv = {}, flags: readonly string[] = NPM_START_FLAGS) => {
  const service = await startService({ ...AS_DELIVERED, ...env }, flags);
  await service.apply({
    accounts: [{ name: 'Bench' }],
    partners: [{ name: 'Bench Ads', tokens: [TOKEN] }],
    projects: [
      {
        name: 'Bench',
        account: 'Bench',
        timezone: 'UTC',
        apps: [{ platform: 'ANDROID', app_id: 'com.bench.app' }],
        domains: [{ name: DOMAIN, primary: true }],
        website: 'https://bench.example',
        partner_switches: [{ partner: 'Bench Ads', s2s_clicks: true }],
        campaigns: Array.from({ length: 50 }, (_, i) => ({
          display_id: `bench${i}`,
          name: `Bench ${i}`,
          partner: 'Bench Ads',
        })),
      },
    ],
  });
  return service;
};

export const readPort = (service: RunningService) => Number(new URL(service.url).port);
