/** The files of the ingest log: what is acknowledged can be read back, whatever the disk does. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { UnavailableError } from '../../../src/errors';
import { DamagedSegmentError, listSegments, SegmentReader, segmentName } from '../../../src/ingest/log/segment';
import { PendingSegment } from '../../../src/ingest/log/pending';
import { LogWriter, type WriterOptions, type Written } from '../../../src/ingest/log/writer';
import { eventually } from '../../support/waiting';

const target = { table: 'clicks', columns: ['click_id', 'tid'] };
const LIMITS = { rows: 1_000, bytes: 64 * 1024 };
let folder: string;
beforeEach(() => (folder = fs.mkdtempSync(path.join(os.tmpdir(), 'adtrail-test-'))));
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

function writerWith(more: Partial<WriterOptions> = {}): LogWriter {
  let sequence = 0;
  return new LogWriter({
    folder,
    target,
    sync: true,
    nextSequence: () => ++sequence,
    isDrained: () => true,
    hasRoom: () => true,
    onWritten: () => undefined,
    onSealed: () => undefined,
    observe: () => undefined,
    ...more,
  });
}

/** All whole rows of the segments in a folder. */
async function readRows(from = folder): Promise<string[]> {
  const rows: string[] = [];
  for (const name of await listSegments(from)) {
    const reader = await SegmentReader.open(path.join(from, name));
    if (!reader) continue;
    expect(reader.target).toEqual(target);
    for (let block = await reader.read(LIMITS); block; block = await reader.read(LIMITS)) {
      rows.push(...block.bytes.toString().trimEnd().split('\n'));
      reader.offset = block.end;
    }
    await reader.close();
  }
  return rows;
}

test('rows come back as they were written, group by group, over several segments', async () => {
  const written: Written[] = [];
  const sealed: string[] = [];
  const writer = writerWith({ onWritten: (one) => written.push(one), onSealed: (name) => sealed.push(name) });
  const rows = Array.from({ length: 5_000 }, (_, i) => JSON.stringify([String(i), 'ünï🙂'.repeat(i % 50)]));
  for (let i = 0; i < rows.length; i += 100) {
    await Promise.all(rows.slice(i, i + 100).map((row) => writer.add(row, i).durable));
    if (i === 2_000) await sleep(2_010);
  }
  await writer.close();
  expect(await readRows()).toEqual(rows);
  expect(written.reduce((sum, one) => sum + one.rows, 0)).toBe(rows.length);
  expect(sealed).toEqual(await listSegments(folder));
  expect(sealed.length).toBeGreaterThan(1);
}, 60_000);

test('after a loss of power everything that was acknowledged is there: what was not synced is cut away', async () => {
  const synced = new Map<string, number>();
  const open = async (file: string) => {
    const handle = await fs.promises.open(file, 'ax');
    let length = 0;
    return {
      write: async (bytes: Buffer, at: number, size: number) => {
        const result = await handle.write(bytes, at, size);
        length += result.bytesWritten;
        return result;
      },
      datasync: async () => {
        const upTo = length;
        await handle.datasync();
        synced.set(file, upTo);
      },
      close: () => handle.close(),
    } as never;
  };
  for (let round = 0; round < 10; round++) {
    const acknowledged: string[] = [];
    const writer = writerWith({ open, nextSequence: () => round * 100 + 1 });
    let isOff = false;
    const senders = Array.from({ length: 20 }, async (_, sender) => {
      for (let i = 0; !isOff; i++) {
        const row = JSON.stringify([`${round}-${sender}-${i}`, 'x'.repeat(200)]);
        await writer.add(row, i).durable;
        if (!isOff) acknowledged.push(row);
      }
    });
    await eventually('some are acknowledged', () => (acknowledged.length > 20 ? true : undefined));
    await sleep(Math.random() * 60);
    isOff = true;
    const lost = fs.mkdtempSync(path.join(os.tmpdir(), 'adtrail-test-'));
    for (const [file, length] of synced)
      fs.writeFileSync(path.join(lost, path.basename(file)), fs.readFileSync(file).subarray(0, length));
    const kept = new Set(await readRows(lost));
    fs.rmSync(lost, { recursive: true });
    expect(acknowledged.filter((row) => !kept.has(row))).toEqual([]);
    await Promise.all(senders);
    await writer.close();
  }
});

test('a full disk refuses, loses nothing that was acknowledged, and it goes on when there is room', async () => {
  let room = 2_000;
  const attempts: boolean[] = [];
  const open = async (file: string) => {
    const handle = await fs.promises.open(file, 'ax');
    return {
      write: async (bytes: Buffer, at: number, size: number) => {
        if (room === 0) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
        // A part of it fits.
        const result = await handle.write(bytes, at, Math.min(size, room));
        room -= result.bytesWritten;
        return result;
      },
      datasync: () => handle.datasync(),
      close: () => handle.close(),
    } as never;
  };
  const writer = writerWith({ open, observe: ({ ok }) => attempts.push(ok) });
  const acknowledged: string[] = [];
  const refused: unknown[] = [];
  for (let i = 0; i < 60; i++) {
    const row = JSON.stringify([String(i), 'x'.repeat(100)]);
    await writer.add(row, i).durable.then(
      () => acknowledged.push(row),
      (error: unknown) => refused.push(error),
    );
  }
  expect(refused.length).toBeGreaterThan(10);
  expect(refused.every((error) => error instanceof UnavailableError)).toBe(true);
  // Refused at once for a while: not every request tries.
  expect(attempts.filter((ok) => !ok).length).toBeLessThan(refused.length);
  room = 1_000_000;
  await eventually('it goes on', () =>
    writer.add('["later",""]', 0).durable.then(
      () => true,
      () => undefined,
    ),
  );
  await writer.close();
  const rows = await readRows();
  expect(acknowledged.filter((row) => !rows.includes(row))).toEqual([]);
  expect(rows).toContain('["later",""]');
});

test('a folder that cannot be written refuses, and it goes on when it can be', async () => {
  const away = path.join(folder, 'away');
  const writer = writerWith({ folder: away });
  await expect(writer.add('["a",""]', 0).durable).rejects.toThrow(UnavailableError);
  fs.mkdirSync(away);
  await sleep(300);
  await writer.add('["b",""]', 0).durable;
  await writer.close();
  expect(await readRows(away)).toEqual(['["b",""]']);
});

test('without room nothing is taken', async () => {
  let hasRoom = false;
  const writer = writerWith({ hasRoom: () => hasRoom });
  await expect(writer.add('["a",""]', 0).durable).rejects.toThrow(UnavailableError);
  expect(await listSegments(folder)).toEqual([]);
  hasRoom = true;
  await writer.add('["b",""]', 0).durable;
  await writer.close();
  expect(await readRows()).toEqual(['["b",""]']);
});

test('a disk that hangs holds up so much and no more', async () => {
  let isHanging = true;
  const open = async (file: string) => {
    const handle = await fs.promises.open(file, 'ax');
    return {
      write: handle.write.bind(handle),
      datasync: async () => {
        while (isHanging) await sleep(5);
      },
      close: () => handle.close(),
    } as never;
  };
  const writer = writerWith({ open });
  const first = writer.add('["first",""]', 0);
  await sleep(20);
  const row = JSON.stringify(['x'.repeat(1_000_000)]);
  const groups = Array.from({ length: 100 }, () => writer.add(row, 0));
  const outcomes = Promise.allSettled(groups.map(({ durable }) => durable));
  isHanging = false;
  await first.durable;
  const taken = (await outcomes).filter(({ status }) => status === 'fulfilled').length;
  expect(taken).toBeGreaterThan(60);
  expect(taken).toBeLessThan(75);
  await writer.close();
  expect((await readRows()).length).toBe(taken + 1);
});

test('the earliest receipt that is not durable yet is known', async () => {
  const writer = writerWith();
  expect(writer.earliestPending).toBe(Infinity);
  const first = writer.add('["a",""]', 20);
  writer.add('["b",""]', 10);
  expect(writer.earliestPending).toBe(10);
  await first.durable;
  await writer.close();
  expect(writer.earliestPending).toBe(Infinity);
});

describe('a segment', () => {
  const file = () => path.join(folder, segmentName(1, 'clicks'));

  test('whose first line is not whole holds nothing', async () => {
    fs.writeFileSync(file(), '{"table":"clicks","colu');
    expect(await SegmentReader.open(file())).toBeUndefined();
  });

  test.each([
    ['no JSON', '{"table":"clicks"\n["a"]\n'],
    ['another table than its name says', '{"table":"users","columns":["a"]}\n'],
    ['no columns', '{"table":"clicks"}\n'],
    ['a column that is none', '{"table":"clicks","columns":["a) SELECT 1 --"]}\n'],
    ['nothing but bytes', `${'x'.repeat(70_000)}\n`],
  ])('is damaged where its first line has %s', async (_what, text) => {
    fs.writeFileSync(file(), text);
    await expect(SegmentReader.open(file())).rejects.toThrow(DamagedSegmentError);
  });

  test('with a row longer than a block is read all the same', async () => {
    const row = JSON.stringify(['a', 'x'.repeat(200_000)]);
    fs.writeFileSync(file(), `${JSON.stringify(target)}\n${row}\n`);
    expect(await readRows()).toEqual([row]);
  });
});

describe('what ClickHouse does not have yet', () => {
  const group = (end: number, earliest: number) => ({ end, earliest, rows: 1, bytes: 10 });

  test('is as old as its earliest receipt, also where that was written last', () => {
    const pending = new PendingSegment('clicks');
    expect(pending.earliest).toBe(Infinity);
    pending.add(group(10, 1_000));
    pending.add(group(20, 5_000));
    // A batch that took three seconds to check.
    pending.add(group(30, 2_000));
    expect(pending.earliest).toBe(1_000);
    pending.drained(10);
    expect(pending.earliest).toBe(2_000);
    pending.drained(25);
    expect(pending.earliest).toBe(2_000);
    expect(pending.rest).toEqual({ rows: 1, bytes: 10 });
    pending.drained(30);
    expect([pending.earliest, pending.bytes]).toEqual([Infinity, 30]);
  });

  test('is nothing that was stored before its sync was through', () => {
    const pending = new PendingSegment('clicks');
    pending.add(group(10, 1_000));
    pending.drained(20);
    pending.add(group(20, 2_000));
    expect(pending.earliest).toBe(Infinity);
    pending.add(group(30, 3_000));
    expect(pending.earliest).toBe(3_000);
  });

  test('is a few groups, however many there were', () => {
    const pending = new PendingSegment('clicks');
    for (let i = 0; i < 1_000; i++) pending.add(group(i + 1, 1_000 + i));
    expect(pending.rest).toEqual({ rows: 1_000, bytes: 10_000 });
    // Its end goes with the last of those that were received together.
    pending.drained(249);
    expect(pending.earliest).toBe(1_000);
    pending.drained(250);
    expect(pending.earliest).toBe(1_250);
  });

  test('can be waited for, in time', async () => {
    const pending = new PendingSegment('clicks');
    pending.add(group(10, 1));
    const late = () => new Error('late');
    const [first, second] = [pending.untilDrained(10, 5_000, late), pending.untilDrained(20, 5_000, late)];
    pending.drained(10);
    await first;
    await pending.untilDrained(5, 5_000, late);
    await expect(pending.untilDrained(20, 10, late)).rejects.toThrow('late');
    pending.giveUp(() => new Error('given up'));
    await expect(second).rejects.toThrow('given up');
  });
});
