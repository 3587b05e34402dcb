/**
 * `make bench-idle`: what a service with all roles takes while nothing happens, after `adtrail demo` has filled it: CPU
 * of each of its processes over SECONDS (60), from /proc, and their memory.
 */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { record } from './record';
import { cleanEnvironment, root, temporaryFolder } from '../support/service';

const SECONDS = Number(process.env.SECONDS ?? 60);
/** Merges of what came last have ended by then, and the service looks less often. */
const SETTLE_MS = 120_000;
const TICKS_A_SECOND = 100;

const say = (text: string) => process.stdout.write(`${text}\n`);

interface Usage {
  readonly name: string;
  readonly seconds: number;
  /** Memory in MB: resident, and the share of it where processes share pages. */
  readonly resident: number;
  readonly share: number;
}

const read = (file: string) => {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return '';
  }
};

/** The process and all below it, by process ID. */
function findUsage(parent: number): Map<number, Usage> {
  const pids = fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const parents = new Map(
    pids.map((pid) => [Number(pid), Number(/^PPid:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1])]),
  );
  const isBelow = (pid: number): boolean => pid === parent || (parents.has(pid) && isBelow(parents.get(pid) as number));
  const kb = (text: string, name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0);
  return new Map(
    [...parents.keys()].filter(isBelow).map((pid) => {
      const fields = read(`/proc/${pid}/stat`)
        .replace(/^.*\) /, '')
        .split(' ');
      const command = read(`/proc/${pid}/cmdline`).split('\0');
      const name = command[0]?.endsWith('node')
        ? path.relative(root, command.find((one) => one.endsWith('.js')) ?? '')
        : 'PostgreSQL';
      const memory = read(`/proc/${pid}/smaps_rollup`);
      const seconds = (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
      return [pid, { name, seconds, resident: kb(memory, 'Rss') / 1024, share: kb(memory, 'Pss') / 1024 }];
    }),
  );
}

async function main(): Promise<void> {
  const folder = temporaryFolder();
  const child = spawn(process.execPath, ['--max-semi-space-size=64', path.join(root, 'dist', 'cli.js'), 'demo'], {
    env: { ...cleanEnvironment(), DATA_DIR: path.join(folder, 'data') },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  try {
    let output = '';
    child.stdout.on('data', (chunk) => (output += String(chunk)));
    while (!output.includes('The service goes on')) {
      if (child.exitCode !== null) throw new Error(`The demo ended with ${child.exitCode}`);
      await sleep(500);
    }
    say(`The demo's data are stored and derived; ${SETTLE_MS / 1000} s of rest, then ${SECONDS} s are measured.`);
    await sleep(SETTLE_MS);
    const before = findUsage(child.pid as number);
    await sleep(SECONDS * 1000);
    const after = findUsage(child.pid as number);
    const names = [...new Set([...after.values()].map(({ name }) => name))].sort();
    const line = (name: string, cpu: number, resident: number, share: number) =>
      say(
        `${name.padEnd(40)}${cpu.toFixed(2).padStart(6)} % of a core ${resident.toFixed(0).padStart(6)} MB resident ` +
          `${share.toFixed(0).padStart(6)} MB by share`,
      );
    const total = { cpu: 0, resident: 0, share: 0 };
    for (const name of names) {
      const own = { cpu: 0, resident: 0, share: 0 };
      for (const [pid, usage] of after) {
        if (usage.name !== name) continue;
        own.cpu += ((usage.seconds - (before.get(pid)?.seconds ?? 0)) / SECONDS) * 100;
        own.resident += usage.resident;
        own.share += usage.share;
      }
      line(name, own.cpu, own.resident, own.share);
      if (name === 'PostgreSQL') record({ postgresMemory: own.resident });
      if (name.includes('clickhouse')) record({ clickhouseMemory: own.resident });
      total.cpu += own.cpu;
      total.resident += own.resident;
      total.share += own.share;
    }
    line('all', total.cpu, total.resident, total.share);
  } finally {
    child.kill('SIGTERM');
    await new Promise((resolve) => child.once('exit', resolve));
    fs.rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
}

void main();
