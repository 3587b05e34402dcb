/**
 * Which store has the folder of a spool. A lock is a file `lock-<number>` that names its process. Who takes a folder
 * over from a process that has ended makes the next number, which only one can make.
 *
 * - On Linux a process is told by its start as well as by its ID, which another one may have later.
 * - The IDs of another container say nothing here: its lock counts for as long as it is touched, every 5 seconds. So
 *   does the lock of an ID that is in use, where there is no /proc.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const NAME = /^lock-(\d+)$/;
const TOUCH_MS = 5_000;
/** A lock that was not touched for so long is nobody's. */
const STALE_MS = 30_000;

interface Owner {
  readonly pid: number;
  /** When it started; `RUNS` where there is no /proc. */
  readonly started: string;
  /** Where its ID is its own: a machine since its start, and a namespace of processes. */
  readonly place: string;
}

const RUNS = 'runs';

/**
 * Takes the folder; returns what gives it back.
 *
 * @throws Error where a store of this process, or of another that runs, has it.
 */
export function lockFolder(folder: string): () => void {
  const own: Owner = { pid: process.pid, started: findStart(process.pid) ?? RUNS, place: readPlace() };
  const before = listLocks(folder);
  refuseIfHeld(before, own);
  const file = path.join(folder, `lock-${Math.max(0, ...before.map(({ number }) => number)) + 1}`);
  make(file, own);
  const remove = () => fs.rmSync(file, { force: true });
  try {
    // Whoever saw other locks before made another number: the later one of two sees the other's here.
    const others = listLocks(folder).filter((lock) => lock.file !== file);
    refuseIfHeld(others, own);
    for (const dead of others) fs.rmSync(dead.file, { force: true });
  } catch (error) {
    remove();
    throw error;
  }
  const timer = setInterval(() => {
    const now = new Date();
    fs.utimes(file, now, now, () => undefined);
  }, TOUCH_MS).unref();
  let isMine = true;
  return () => {
    clearInterval(timer);
    // Once it is given back, the number may be another store's.
    if (isMine) remove();
    isMine = false;
  };
}

function make(file: string, own: Owner): void {
  try {
    fs.writeFileSync(file, JSON.stringify(own), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new Error(`The folder ${path.dirname(file)} is used by another process.`, { cause: error });
  }
}

interface Lock {
  readonly file: string;
  readonly number: number;
}

const listLocks = (folder: string): Lock[] =>
  fs.readdirSync(folder).flatMap((name) => {
    const number = NAME.exec(name)?.[1];
    return number === undefined ? [] : { file: path.join(folder, name), number: Number(number) };
  });

function refuseIfHeld(locks: readonly Lock[], own: Owner): void {
  for (const { file } of locks) {
    const touched = fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs;
    if (touched === undefined) continue;
    const owner = readOwner(file);
    if (isHeld(owner, touched, own))
      throw new Error(`The folder ${path.dirname(file)} is used by the process ${owner?.pid ?? 'that just started'}.`);
  }
}

/** Undefined for a lock that is only being made, or that is given back. */
function readOwner(file: string): Owner | undefined {
  try {
    return JSON.parse(fs.readFileSync(file, 'utf8')) as Owner;
  } catch {
    return undefined;
  }
}

function isHeld(owner: Owner | undefined, touched: number, own: Owner): boolean {
  if (owner?.place === own.place) {
    if (findStart(owner.pid) !== owner.started) return false;
    if (owner.started !== RUNS) return true;
  }
  // A clock may have been set back meanwhile.
  return Math.abs(Date.now() - touched) < STALE_MS;
}

/** When a process started, in ticks of the machine; undefined where none has this ID. */
function findStart(pid: number): string | undefined {
  if (process.platform !== 'linux') return isAlive(pid) ? RUNS : undefined;
  try {
    // What comes behind the name, which may itself have brackets: the state, and as the 20th the start.
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state = '', ...more] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie writes no more.
    return state === 'Z' || state === 'X' ? undefined : more[18];
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function readPlace(): string {
  if (process.platform !== 'linux') return os.hostname();
  return `${fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${fs.readlinkSync('/proc/self/ns/pid')}`;
}
