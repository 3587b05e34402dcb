/** The kit for senders where something is wrong: limits, tokens, files, callbacks, a full disk, a folder in use. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { MemoryStore } from '../../../clients/s2s/src/chunks';
import { createSender, type Refusal, type SenderOptions, type SentRecord } from '../../../clients/s2s/src/index';
import { fileSpool } from '../../../clients/s2s/src/spool';
import { startGateway, type Gateway, type GatewayAnswer } from '../../support/s2s/gateway';
import { newTid } from '../../support/s2s/s2s-client';
import { sharedService } from '../../support/shared-service';
import { eventually, root, temporaryFolder } from '../../support/service';
import { ownNames } from '../../support/workspace/own-names';
import { GAID, TOKEN, workspace } from '../../support/workspace/workspace';

const service = sharedService();
const own = ownNames('s2s-faults');
const target = { d: own('go.acme.example'), c: 'AbC123', gaid: GAID };
const parent = temporaryFolder();
let folder: string;
beforeAll(() => service.apply(own.document(workspace)));
afterAll(() => fs.rmSync(parent, { recursive: true, force: true }));

const refused: [SentRecord, Refusal][] = [];
const problems: { message: string; waitMs: number }[] = [];
let gateway: Gateway | undefined;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(parent, 'spool-'));
  refused.splice(0);
  problems.splice(0);
});
afterEach(() => gateway?.stop());

async function start(
  answer: (number: number, tids: readonly string[]) => GatewayAnswer | undefined,
  more: Partial<SenderOptions> = {},
) {
  gateway = await startGateway(service, answer);
  const { batches, url } = gateway;
  const sender = createSender({
    url,
    token: own(TOKEN),
    intervalMs: 20,
    onRefused: (record, refusal) => void refused.push([record, refusal]),
    onRetry: (problem) => void problems.push(problem),
    ...more,
  });
  const prefix = newTid('kit');
  const click = (from: number, to: number) => {
    for (let n = from; n < to; n++) expect(sender.click({ ...target, tid: `${prefix}-${n}` })).toBe(true);
  };
  const readSizes = () => batches.map(({ tids }) => tids.length);
  return { sender, click, prefix, batches, readSizes };
}

const listStored = async (prefix: string) =>
  (
    await service.rows<{ tid: string }>(
      `SELECT tid FROM analytics.clicks WHERE startsWith(tid, '${prefix}-')
       ORDER BY toUInt32(splitByChar('-', tid)[-1])`,
    )
  ).map(({ tid }) => tid);
const range = (prefix: string, from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => `${prefix}-${from + i}`);
const noAnswer = () => undefined;
const limited = (tids: readonly string[], again: (tid: string, i: number) => boolean, seconds = 1): GatewayAnswer => ({
  status: 200,
  body: JSON.stringify({
    results: tids.map((tid, i) =>
      again(tid, i)
        ? { status: 'rejected', code: 429, reason: 'rate_limited', retry_after: seconds }
        : { status: 'accepted' },
    ),
  }),
});

describe('batches under load', () => {
  test('what comes while a batch is sent gathers until it is full, or a flush', async () => {
    const { sender, click, readSizes } = await start(noAnswer, { maxRecords: 50, intervalMs: 60_000 });
    click(0, 80);
    await eventually('the full batch is sent', () => (sender.size === 30 ? true : undefined));
    click(80, 100);
    await eventually('the next one, which is full now', () => (sender.size === 0 ? true : undefined));
    click(100, 103);
    await sender.flush();
    expect(readSizes()).toEqual([50, 50, 3]);
    click(103, 104);
    expect(await sender.close()).toBe(0);
  });

  test('records that come while others wait for their time do not wait with them', async () => {
    const { sender, click, batches } = await start((number, tids) =>
      number === 0 ? limited(tids, () => true, 3_600) : undefined,
    );
    click(0, 5);
    await eventually('they come back', () => (batches.length === 1 ? true : undefined));
    click(5, 6);
    await eventually('the new one is sent', () => (sender.size === 5 ? true : undefined));
    expect(await sender.close(1)).toBe(5);
  });

  test('records of several batches that are over a limit come back at the same time', async () => {
    class Watched extends MemoryStore {
      readonly times: number[] = [];
      override settle(...args: Parameters<MemoryStore['settle']>): void {
        this.times.push(args[2]);
        super.settle(...args);
      }
    }
    const store = new Watched({ maxRecords: 10, maxHeldBytes: 1e6 });
    const from = performance.now();
    const { sender, click, readSizes } = await start((number, tids) => limited(tids, (_, i) => number < 3 && i < 3), {
      store,
    });
    click(0, 30);
    await sender.flush();
    for (const time of store.times.slice(0, 3)) {
      expect(time).toBeGreaterThanOrEqual(from + 1_000);
      expect(time % 250).toBe(0);
    }
    const sizes = readSizes();
    expect(sizes.slice(0, 3)).toEqual([10, 10, 10]);
    expect(sizes.slice(3).reduce((a, b) => a + b)).toBe(9);
  });
});

describe('what the service says of a batch', () => {
  test('one record that is too large does not cost the others', async () => {
    const { sender, click, prefix } = await start(
      (_, tids) => (tids.some((tid) => tid.endsWith('-5')) ? { status: 413 } : undefined),
      { maxRecords: 20 },
    );
    click(0, 20);
    expect(await sender.close()).toBe(0);
    expect(refused.map(([{ tid }, { code }]) => [tid, code])).toEqual([[`${prefix}-5`, 413]]);
    expect(await listStored(prefix)).toEqual([...range(prefix, 0, 5), ...range(prefix, 6, 20)]);
  });

  test('a wrong token refuses batch by batch, with pauses: the rest of a spool is kept for the right one', async () => {
    const store = fileSpool(folder, { maxRecords: 10 });
    const { sender, click, batches, prefix } = await start(noAnswer, { store, token: 'wrong' });
    click(0, 1_000);
    await eventually('the third batch is refused', () => (refused.length >= 30 ? true : undefined));
    const left = await sender.close(0);
    expect([left, refused.length]).toEqual([1_000 - refused.length, 10 * batches.length]);
    expect(left).toBeGreaterThan(900);
    expect(new Set(refused.map(([, { code, reason }]) => `${code} ${reason}`))).toEqual(new Set(['401 invalid_token']));
    const pauses = batches.slice(1, 3).map(({ at }, i) => at - (batches[i]?.at as number));
    for (const [i, pause] of pauses.entries()) expect(pause).toBeGreaterThanOrEqual(2 ** i * 125 - 5);
    const right = createSender({ url: service.url, token: own(TOKEN), store: fileSpool(folder) });
    expect(await right.close(60_000)).toBe(0);
    expect(await listStored(prefix)).toEqual(range(prefix, 1_000 - left, 1_000));
  });

  test.each([
    ['600', 600_000],
    ['99999999999', 86_400_000],
    ['soon', 0],
  ])('Retry-After: %s is waited for', async (seconds, waitMs) => {
    const timers = jest.spyOn(global, 'setTimeout');
    const { sender, click } = await start(() => ({ status: 503, headers: { 'Retry-After': seconds } }));
    click(0, 1);
    const [problem] = await eventually('it is told', () => (problems.length > 0 ? problems : undefined));
    // A wait of its own is between 125 and 250 ms at first.
    const [least, most] = waitMs > 0 ? [waitMs, waitMs] : [125, 250];
    expect(problem?.waitMs).toBeGreaterThanOrEqual(least);
    expect(problem?.waitMs).toBeLessThanOrEqual(most);
    await sleep(1);
    expect(timers.mock.calls.filter(([, ms = 0]) => ms > least - 100 && ms <= most)).not.toEqual([]);
    timers.mockRestore();
    expect(await sender.close(0)).toBe(1);
  });
});

describe('callbacks', () => {
  test('one that throws, at once or later, loses no record, and goes to the console', async () => {
    const written = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    const failLater: () => unknown = () => Promise.reject(new Error('later'));
    const { sender, click, prefix } = await start((number) => (number === 0 ? { status: 503 } : undefined), {
      onRetry: failLater,
      onRefused: () => {
        throw new Error('at once');
      },
    });
    sender.click({ ...target, c: 'nope', tid: 'bad' });
    click(0, 5);
    expect(await sender.close()).toBe(0);
    expect(await listStored(prefix)).toEqual(range(prefix, 0, 5));
    expect(written.mock.calls.map(([, error]) => (error as Error).message)).toEqual(['later', 'at once']);
    written.mockRestore();
  });

  test('a refusal is told while the record is still in the spool', async () => {
    const held: number[] = [];
    const { sender } = await start(noAnswer, {
      store: fileSpool(folder),
      onRefused: () => void held.push(fs.readdirSync(folder).filter((name) => name.endsWith('.ndjson')).length),
    });
    sender.click({ ...target, c: 'nope', tid: 'bad' });
    expect(await sender.close()).toBe(0);
    expect([held, fs.readdirSync(folder)]).toEqual([[1], []]);
  });

  test('a line that a disk has spoilt is refused as it is, and the others are sent', async () => {
    const spoilt = '{"kind":"click","ti{"kind":"click"}';
    fs.writeFileSync(path.join(folder, '000000000001-1.ndjson'), `${spoilt}\n`);
    const sender = createSender({
      url: service.url,
      token: own(TOKEN),
      store: fileSpool(folder),
      onRefused: (record, refusal) => void refused.push([record, refusal]),
    });
    const tid = newTid('kit');
    sender.click({ ...target, tid: `${tid}-0` });
    expect(await sender.close()).toBe(0);
    expect(refused).toEqual([
      [
        { kind: 'unreadable', line: spoilt },
        { code: 400, reason: 'invalid_record' },
      ],
    ]);
    expect(await listStored(tid)).toEqual([`${tid}-0`]);
  });
});

describe('files', () => {
  test('a folder that is away is told of, with growing pauses, and used again once it is back', async () => {
    const { sender, click, prefix } = await start(
      (number, tids) => {
        if (number > 0) return undefined;
        fs.rmSync(folder, { recursive: true });
        return limited(tids, () => true);
      },
      { store: fileSpool(folder) },
    );
    click(0, 3);
    await sender.flush();
    expect(problems.map(({ message }) => /\bE[A-Z]+\b/.exec(message)?.[0])).toEqual(['ENOENT', 'ENOENT']);
    expect(problems[1]?.waitMs).toBeGreaterThan(problems[0]?.waitMs as number);
    expect(sender.click({ ...target, tid: 'away' })).toBe(false);
    fs.mkdirSync(folder);
    click(3, 5);
    expect(await sender.close()).toBe(0);
    expect(await listStored(prefix)).toEqual(range(prefix, 3, 5));
  });

  test('one that cannot be read does not keep the others from being sent', async () => {
    const store = fileSpool(folder, { maxRecords: 3 });
    const { sender, click, prefix } = await start(noAnswer, { store });
    click(0, 5);
    const [first = ''] = fs.readdirSync(folder).filter((name) => name.endsWith('.ndjson'));
    fs.rmSync(path.join(folder, first));
    fs.mkdirSync(path.join(folder, first));
    await eventually('the others are sent', () => (sender.size === 3 ? true : undefined));
    expect(await sender.close(0)).toBe(3);
    expect(problems.map(({ message }) => /\bE[A-Z]+\b/.exec(message)?.[0])).toEqual(['EISDIR']);
    expect(await listStored(prefix)).toEqual(range(prefix, 3, 5));
  });

  test('a disk that is full in the middle of a record: it is not taken, and those around it are sent', async () => {
    // A file ends after 4 KB, which is no multiple of a record: the system writes its beginning, as on a full disk.
    const program = path.join(root, 'test', 'support', 's2s', 'sender-process.mjs');
    const prefix = newTid('full');
    const nowhere = 'http://127.0.0.1:1';
    const command = 'ulimit -f 4; exec "$@"';
    const args = ['-c', command, 'bash', process.execPath, program, nowhere, own(TOKEN), folder, prefix, target.d];
    const child = spawn('bash', args, { stdio: ['ignore', 'pipe', 'inherit'] });
    let written = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (written += text));
    await eventually('records are taken', () => (written.split('\n').length > 200 ? true : undefined), 30_000);
    child.kill('SIGKILL');
    await once(child, 'close');
    const taken = written.split('\n').slice(0, -1);
    const offered = Number(taken.at(-1)?.split('-').at(-1)) + 1;
    expect(taken.length).toBeLessThan(offered);
    const { sender } = await start(noAnswer, { store: fileSpool(folder) });
    expect(sender.size).toBeGreaterThanOrEqual(taken.length);
    expect(await sender.close(60_000)).toBe(0);
    expect(refused).toEqual([]);
    const stored = await listStored(prefix);
    expect([stored.slice(0, taken.length), new Set(stored).size]).toEqual([taken, stored.length]);
  });
});

describe('the folder of a spool', () => {
  const program = path.join(root, 'test', 'support', 's2s', 'spool-process.mjs');

  /** A process that tries to take the folder, says whether it has it, and keeps it until it is killed. */
  async function contend() {
    const child = spawn(process.execPath, [program, folder], { stdio: ['pipe', 'pipe', 'inherit'] });
    const [said] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
    const kill = async () => {
      child.kill('SIGKILL');
      await once(child, 'close');
    };
    return { said: said.trim(), kill };
  }

  test('of many processes that start at once after one was killed, one has it', async () => {
    const first = await contend();
    expect(first.said).toBe('has it');
    await first.kill();
    const all = await Promise.all(Array.from({ length: 6 }, contend));
    expect(all.map(({ said }) => said).sort()).toEqual(['has it', ...Array.from({ length: 5 }, () => 'is used')]);
    const late = await contend();
    expect(late.said).toBe('is used');
    await Promise.all([...all, late].map(({ kill }) => kill()));
    fileSpool(folder).close();
  });
});
