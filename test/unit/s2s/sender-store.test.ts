/** Where records wait in the kit for senders: what goes into a batch, and when; and who has the folder of a spool. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { MemoryStore, type Store } from '../../../clients/s2s/src/chunks';
import { createSender } from '../../../clients/s2s/src/index';
import { fileSpool } from '../../../clients/s2s/src/spool';
import { temporaryFolder } from '../../support/paths';
import { eventually } from '../../support/waiting';

const parent = temporaryFolder();
const opened: Store[] = [];
let folder: string;
beforeEach(() => void (folder = fs.mkdtempSync(path.join(parent, 'spool-'))));
afterEach(() => opened.splice(0).forEach((store) => store.close()));
afterAll(() => fs.rmSync(parent, { recursive: true, force: true }));

const LIMITS = { maxRecords: 4, maxHeldBytes: 1_000 };
const open = () => {
  const store = fileSpool(folder, LIMITS);
  opened.push(store);
  return store;
};
const fill = (store: Store, lines: string, now = 0) => [...lines].map((line) => store.append(line, now));
const take = (store: Store, now: number, since = -1) => {
  const chunk = store.next(now, since);
  return chunk && { text: chunk.lines.join(''), settle: store.settle.bind(store, chunk) };
};

describe.each([
  ['memory', () => new MemoryStore(LIMITS)],
  ['a spool', open],
])('%s', (_, start) => {
  test('what gathers waits until it is full, or old enough', () => {
    const store = start();
    expect([store.gatheringSince, store.earliest, take(store, 9)]).toEqual([Infinity, Infinity, undefined]);
    fill(store, 'ab', 10);
    fill(store, 'c', 20);
    expect([store.gatheringSince, store.hasFull, take(store, 30, 9)]).toEqual([10, false, undefined]);
    fill(store, 'de', 40);
    expect([store.gatheringSince, store.hasFull, store.earliest]).toEqual([40, true, 0]);
    // While one is full, the next goes on gathering.
    const full = take(store, 50, 50);
    expect([full?.text, store.gatheringSince]).toEqual(['abcd', 40]);
    full?.settle([], 0);
    expect([take(store, 50, 39), take(store, 50, 40)?.text, store.size]).toEqual([undefined, 'e', 1]);
  });

  test('few records that come back from several batches go together, none before its time', () => {
    const store = start();
    fill(store, 'abcdefghijkl');
    for (const [again, notBefore] of [
      ['a', 100],
      ['ef', 200],
      ['ij', 100],
    ] as const)
      take(store, 0)?.settle([...again], notBefore);
    expect([store.size, store.hasFull, store.earliest, take(store, 99)]).toEqual([5, false, 100, undefined]);
    const first = take(store, 100);
    expect(first?.text).toBe('aij');
    first?.settle(['j'], 300);
    expect(take(store, 200)?.text).toBe('ef');
    const rest = take(store, 300);
    expect(rest?.text).toBe('efj');
    rest?.settle([], 0);
    expect([store.size, store.earliest]).toEqual([0, Infinity]);
  });

  test('more records come back than one batch has', () => {
    const store = start();
    fill(store, 'abcdefgh');
    take(store, 0)?.settle([...'abc'], 100);
    take(store, 0)?.settle([...'ef'], 100);
    const first = take(store, 100);
    expect(first?.text).toBe('abc');
    first?.settle([], 0);
    expect(take(store, 100)?.text).toBe('ef');
  });

  test('what is held is bounded, and room comes back', () => {
    const store = start();
    const taken: boolean[] = [];
    do taken.push(store.append('x'.repeat(50), 0));
    while (taken.at(-1));
    expect(taken.length).toBeGreaterThan(LIMITS.maxRecords);
    take(store, 0)?.settle([], 0);
    expect(store.append('x', 0)).toBe(true);
  });
});

test('batches have 1 to 10,000 records', () => {
  for (const maxRecords of [0, 10_001]) {
    expect(() => createSender({ url: '', token: '', maxRecords })).toThrow('maxRecords must be 1 to 10,000');
    expect(() => fileSpool(folder, { maxRecords })).toThrow('maxRecords must be 1 to 10,000');
  }
  expect(fs.readdirSync(folder)).toEqual([]);
});

describe('the folder of a spool', () => {
  const readLock = () => {
    const file = path.join(folder, fs.readdirSync(folder).find((name) => name.startsWith('lock')) as string);
    return { file, owner: JSON.parse(fs.readFileSync(file, 'utf8')) as Record<string, unknown> };
  };
  const closeAll = () => opened.splice(0).forEach((store) => store.close());
  /** Leaves a lock as a process that was killed has made it, a moment ago; returns its file. */
  const leaveLock = (change: Record<string, unknown>) => {
    const { file, owner } = readLock();
    closeAll();
    fs.writeFileSync(file, JSON.stringify({ ...owner, ...change }));
    return file;
  };
  beforeEach(() => void open());

  test('one store has it, also in one process, until it is closed', () => {
    expect(() => open()).toThrow(`used by the process ${process.pid}`);
    const [first] = opened.splice(0);
    first?.close();
    expect(fs.readdirSync(folder)).toEqual([]);
    open();
    // Closed once more, it leaves the lock of the other alone.
    first?.close();
    expect(() => open()).toThrow(`used by the process ${process.pid}`);
  });

  test('a process that has ended does not have it, though another one has its ID now', () => {
    leaveLock({ started: '1' });
    open();
    expect(fs.readdirSync(folder)).toHaveLength(1);
    const beyondAll = 2 ** 22 + 1;
    leaveLock({ pid: beyondAll });
    open();
    expect(readLock().owner.pid).toBe(process.pid);
  });

  test('a process of another container has it as long as it touches its lock', () => {
    const file = leaveLock({ place: 'elsewhere', pid: 1 });
    const touch = (secondsAgo: number) => {
      const at = new Date(Date.now() - secondsAgo * 1_000);
      fs.utimesSync(file, at, at);
    };
    for (const secondsAgo of [0, 20]) {
      touch(secondsAgo);
      expect(() => open()).toThrow('used by the process 1');
    }
    touch(40);
    open();
  });

  test('a store touches its lock', async () => {
    opened.splice(0).forEach((store) => store.close());
    jest.useFakeTimers({ doNotFake: ['setTimeout', 'Date', 'performance'] });
    try {
      open();
      const { file } = readLock();
      fs.utimesSync(file, 0, 0);
      jest.advanceTimersByTime(5_000);
      await eventually('it is touched', () => (fs.statSync(file).mtimeMs > 0 ? true : undefined));
    } finally {
      jest.useRealTimers();
    }
  });

  (process.platform === 'linux' ? test : test.skip)(
    'a process that is dead and not buried does not have it',
    async () => {
      // What bash started is a child of what bash became, which never asks for its end.
      const child = spawn('bash', ['-c', 'sleep 1 & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'inherit'] });
      const [text] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
      const pid = Number(text);
      const readStat = () => fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ');
      await eventually('it has ended', () => (readStat()[2] === 'Z' ? true : undefined));
      leaveLock({ pid, started: readStat()[21] });
      open();
      expect(readLock().owner.pid).toBe(process.pid);
      child.kill();
      await once(child, 'close');
    },
  );

  test('a lock that is only being made counts', () => {
    const { file } = readLock();
    closeAll();
    fs.writeFileSync(file, '');
    expect(() => open()).toThrow('used by');
    expect(fs.readdirSync(folder)).toEqual([path.basename(file)]);
  });
});
