/** Whether a process gets processor time: one that waits for it does not hang. Linux alone tells. */
import { readdir, readFile } from 'node:fs/promises';

/** Milliseconds that a thread has waited for a processor since it started, by its number. */
export type Waits = ReadonlyMap<string, number>;

/** Those of the threads of a process and of the processes that it has started; none where the system does not tell. */
export async function readWaits(pid: number): Promise<Waits> {
  const waits = new Map<string, number>();
  const readProcess = async (id: string) => {
    const threads = await readdir(`/proc/${id}/task`);
    await Promise.all(threads.map((thread) => readThread(`/proc/${id}/task/${thread}`, thread).catch(() => undefined)));
  };
  const readThread = async (folder: string, thread: string) => {
    // Time on a processor, and waiting for one, in nanoseconds; then a number of turns.
    const [, waited] = (await readFile(`${folder}/schedstat`, 'utf8')).split(' ');
    waits.set(thread, Number(waited) / 1e6);
    const children = (await readFile(`${folder}/children`, 'utf8')).split(' ').filter((child) => child !== '');
    for (const child of children) await readProcess(child).catch(() => undefined);
  };
  await readProcess(String(pid)).catch(() => undefined);
  return waits;
}

/** How long the thread has waited that waited longest between two readings, in milliseconds. */
export const longestWait = (before: Waits, after: Waits): number =>
  Math.max(0, ...[...after].map(([thread, waited]) => waited - (before.get(thread) ?? waited)));
