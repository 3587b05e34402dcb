/** An engine that waits for a processor is told from one that hangs (src/embedded/processor-time.ts). */
import { spawn, type ChildProcess } from 'node:child_process';
import os from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { longestWait, readWaits } from '../../../src/embedded/processor-time';

const SECOND = 1_000;
const started: ChildProcess[] = [];
/** A shell and a process of its own that computes without end, as an engine has processes of its own. */
function compute(): number {
  const child = spawn('sh', ['-c', "sh -c 'while :; do :; done'; true"], { detached: true });
  started.push(child);
  return child.pid as number;
}
/** One beside four others for each processor. */
function computeBesideOthers(): number {
  for (let i = 0; i < 4 * os.cpus().length; i++) compute();
  return compute();
}
afterEach(() => {
  for (const { pid } of started.splice(0)) process.kill(-(pid as number), 'SIGKILL');
});

async function waitedIn(pid: number, ms: number): Promise<number> {
  const before = await readWaits(pid);
  expect(before.size).toBeGreaterThan(1);
  await sleep(ms);
  return longestWait(before, await readWaits(pid));
}

const onLinux = os.platform() === 'linux' ? test : test.skip;

onLinux('one beside many others waits most of the time', async () => {
  const engine = computeBesideOthers();
  await sleep(100);
  expect(await waitedIn(engine, SECOND)).toBeGreaterThan(SECOND / 2);
});

onLinux('one that is stopped waits for nothing, whatever else runs', async () => {
  const engine = computeBesideOthers();
  await sleep(100);
  process.kill(-engine, 'SIGSTOP');
  await sleep(100);
  expect(await waitedIn(engine, SECOND)).toBeLessThan(SECOND / 10);
});

test('nothing is known of one that is gone', async () => {
  expect([...(await readWaits(2 ** 30))]).toEqual([]);
  expect(longestWait(new Map(), new Map([['1', 5]]))).toBe(0);
  expect(longestWait(new Map([['1', 5]]), new Map([['1', 7.5]]))).toBe(2.5);
});
