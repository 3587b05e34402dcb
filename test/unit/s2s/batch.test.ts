/** Batches of records: what their GETs would do, record by record, and what is of the whole batch. */
import { setImmediate } from 'node:timers/promises';
import zlib from 'node:zlib';
import fc from 'fast-check';
import { BatchTurns } from '../../../src/s2s/batch-turns';
import { newTid, PUBLIC_IP, type Answer } from '../../support/s2s/s2s-client';
import { createPipeline, toConfiguration, type Pipeline } from '../../support/s2s/s2s-pipeline';
import { checkRandom, readRequest, type Anything } from '../../support/s2s/s2s-random';
import { KIND_OF, recordText } from '../../support/s2s/s2s-batch';
import { rounds } from '../../support/soak';
import { GAID, SUSPENDED_TOKEN, TOKEN, workspace } from '../../support/workspace/workspace';

const click = (more: object = {}) => ({ kind: 'click', app_id: 'com.acme.shop', c: 'AbC123', gaid: GAID, ...more });
const lines = (...records: unknown[]) => records.map((one) => JSON.stringify(one)).join('\n');
const send = (s2s: Pipeline, body: string | Buffer, headers: Record<string, string> = {}): Promise<Answer> =>
  s2s.ask('/v1/batch', { 'X-Service-Token': TOKEN, ...headers }, 'POST', body);
const ACCEPTED = { status: 'accepted', click_id: expect.any(String) as string };
const INVALID = { status: 'rejected', code: 400, reason: 'invalid_record' };

test('random records leave the same rows, answers and counts, sent singly and as batches of random sizes', async () => {
  const singles = createPipeline({ limit: 400 });
  const batches = createPipeline({ limit: 400 });
  const drawn: Anything[] = [];
  await checkRandom(rounds(2_000, 20_000), (one) => {
    drawn.push(one);
    return Promise.resolve();
  });
  const texts: string[] = [];
  const expected: unknown[] = [];
  let tid = '';
  for (const [i, one] of drawn.entries()) {
    // Some are repeats by their tid, with other values.
    if (i % 5 !== 4) tid = newTid('batch');
    const request = readRequest(one, tid, singles.clock);
    const { target, text } = recordText(request);
    texts.push(text);
    const { status, body, headers } = await singles.ask(target, { 'X-Service-Token': TOKEN });
    const wait = headers.get('retry-after');
    expected.push(status === 200 ? body : { ...body, code: status, ...(wait && { retry_after: Number(wait) }) });
  }
  const results: unknown[] = [];
  const sizes = fc.sample(fc.integer({ min: 1, max: 300 }), drawn.length);
  for (let from = 0; from < texts.length;) {
    const part = texts.slice(from, (from += sizes.pop() as number));
    const isArray = part.length % 2 === 0;
    const answer = await send(batches, isArray ? `[${part.join(',')}]` : `${part.join('\n')}\n`);
    expect(answer.status).toBe(200);
    const {
      accepted,
      rejected,
      results: found,
    } = answer.body as {
      accepted: number;
      rejected: number;
      results: { status: string }[];
    };
    expect([accepted, accepted + rejected]).toEqual([
      found.filter(({ status }) => status === 'accepted').length,
      part.length,
    ]);
    results.push(...found);
  }
  expect(results).toEqual(expected);
  expect(batches.stored).toEqual(singles.stored);
  expect(batches.counted).toEqual(singles.counted);
  expect(await batches.metrics()).toBe(await singles.metrics());
  // A generator of bad records alone would agree with anything.
  expect(batches.stored.click.length).toBeGreaterThan(rounds(50, 500));
});

test.each<[string, string | Buffer, unknown[]]>([
  ['nothing', '', []],
  ['blank lines and carriage returns', `\r\n${lines(click({ tid: 'a' }))}\r\n\n`, [ACCEPTED]],
  ['an array with white space', ` \n [${lines(click({ tid: 'a' }))} ] `, [ACCEPTED]],
  ['an empty array', '[]', []],
  ['numbers', lines(click({ tid: 17 })), [ACCEPTED]],
  ['null as not sent', lines(click({ tid: 'a', s2: null })), [ACCEPTED]],
  [
    'no object',
    lines(click({ tid: 'a' }), [], 1, 'x', null, click({ tid: 'b' })),
    [ACCEPTED, INVALID, INVALID, INVALID, INVALID, ACCEPTED],
  ],
  [
    'other values',
    lines(click({ tid: true }), click({ tid: {} }), click({ tid: ['a'] }), click({ tid: 'a', x: [] })),
    [INVALID, INVALID, INVALID, INVALID],
  ],
  [
    'no kind',
    lines({ ...click({ tid: 'a' }), kind: undefined }, { ...click({ tid: 'a' }), kind: 'ctv/impression' }),
    [INVALID, INVALID],
  ],
  [
    'a line that breaks off',
    `${lines(click({ tid: 'a' }))}\n{"kind":"click","app_id":"com.acme.sh`,
    [ACCEPTED, INVALID],
  ],
  [
    'a line that is too long',
    `${' '.repeat(70_000)}${lines(click({ tid: 'a' }))}\n${lines(click({ tid: 'b' }))}`,
    [INVALID, ACCEPTED],
  ],
  [
    'too many names',
    lines(click({ tid: 'a', ...Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [i, ''])) })),
    [INVALID],
  ],
  ['deep nesting', `${'['.repeat(30_000)}\n${lines(click({ tid: 'a' }))}`, [INVALID, ACCEPTED]],
])('%s', async (_, body, results) => {
  const headers: Record<string, string> = String(body).startsWith('[[')
    ? { 'Content-Type': 'application/x-ndjson' }
    : {};
  const answer = await send(createPipeline(), body, headers);
  expect(answer.body.results).toEqual(results);
  expect(answer.status).toBe(200);
});

test('numbers are what was written, beyond what a double holds too', async () => {
  const s2s = createPipeline();
  const record = (tid: string) => lines(click()).replace('}', `,"tid":${tid}}`);
  const tids = [
    '9007199254740993',
    '12345678901234567890',
    '0.1',
    '1.10',
    '1e30',
    '-7',
    '1.0',
    '1e3',
    '2E+4',
    '-0',
    '0',
  ];
  await send(s2s, tids.map(record).join('\n'));
  await send(s2s, `[${tids.map((tid) => record(`1${tid.replace('-', '')}`)).join()}]`);
  expect(s2s.stored.click.map(({ tid }) => tid)).toEqual([...tids, ...tids.map((tid) => `1${tid.replace('-', '')}`)]);
});

test('who may not send is told so before the body is looked at', async () => {
  const s2s = createPipeline();
  const body = lines(click({ tid: 'a' }));
  const refused = (reason: string) => ({ body: { status: 'rejected', reason } });
  expect(await send(s2s, body, { 'X-Service-Token': '' })).toMatchObject({ status: 401, ...refused('missing_token') });
  for (const token of ['wrong', SUSPENDED_TOKEN])
    expect(await send(s2s, body, { 'X-Service-Token': token })).toMatchObject({
      status: 401,
      ...refused('invalid_token'),
    });
  expect(await send(createPipeline({ enabled: false }), body)).toMatchObject({
    status: 404,
    ...refused('s2s_disabled'),
  });
  const stale = createPipeline();
  stale.clock += 6 * 60_000;
  const answer = await send(stale, body);
  expect(answer).toMatchObject({ status: 503, ...refused('unavailable') });
  expect(answer.headers.get('retry-after')).toBe('1');
  expect(await s2s.metrics()).toContain('s2s{endpoint="batch",outcome="invalid_token"} 2');
  const { status, body: taken } = await s2s.ask(`/v1/batch?svc_token=${TOKEN}`, {}, 'POST', body);
  expect([status, taken.accepted]).toEqual([200, 1]);
  expect((await s2s.ask('/v1/batch', { 'X-Service-Token': TOKEN })).status).toBe(405);
});

const good = lines(...Array.from({ length: 20 }, (_, i) => click({ tid: `good-${i}` })));
const zstd = (zlib as unknown as { zstdCompressSync?: (bytes: string) => Buffer }).zstdCompressSync;

test.each<[number, string, string | Buffer, Record<string, string>]>([
  [400, 'Invalid JSON body.', `[${good.replaceAll('\n', ',')}`, {}],
  [400, 'Invalid JSON body.', `[${good.replaceAll('\n', ',')}] x`, {}],
  [400, 'Invalid JSON body.', good.split('\n', 1)[0] as string, { 'Content-Type': 'application/json' }],
  [400, 'Invalid body.', zlib.gzipSync(good).subarray(0, 60), { 'Content-Encoding': 'gzip' }],
  [400, 'Invalid body.', good, { 'Content-Encoding': 'gzip' }],
  [413, 'A batch takes at most 10000 records.', '{}\n'.repeat(10_001), {}],
  [413, 'A batch takes at most 10000 records.', `[${'{},'.repeat(10_000)}{}]`, {}],
  [413, 'The body must be at most 8mb.', `${good}\n${' '.repeat(8 * 1024 * 1024)}`, {}],
  [413, 'The body must be at most 8mb.', zlib.gzipSync(`${good}${' '.repeat(50e6)}`), { 'Content-Encoding': 'gzip' }],
  [413, 'The body must have at most 1000000 values.', `[${'0,'.repeat(1_000_000)}0]`, {}],
  [415, 'Content-Encoding "zip" is none of', good, { 'Content-Encoding': 'zip' }],
])('%i %s, and nothing is stored', async (status, message, body, headers) => {
  const s2s = createPipeline();
  const answer = await send(s2s, body, headers);
  expect([answer.status, String(answer.body.msg).startsWith(message)]).toEqual([status, true]);
  expect(s2s.stored.click).toEqual([]);
  expect(s2s.counted).toEqual([]);
});

test('gzip, and zstd where Node has it; a window of more than 8 MB is refused', async () => {
  const accepted = async (body: Buffer, encoding: string) =>
    (await send(createPipeline(), body, { 'Content-Encoding': encoding })).body.accepted;
  expect(await accepted(zlib.gzipSync(good), 'gzip')).toBe(20);
  if (!zstd) {
    expect((await send(createPipeline(), good, { 'Content-Encoding': 'zstd' })).status).toBe(415);
    return;
  }
  expect(await accepted(zstd(good), 'zstd')).toBe(20);
  const blanks = zstd(`${good}${' '.repeat(50e6)}`);
  expect((await send(createPipeline(), blanks, { 'Content-Encoding': 'zstd' })).status).toBe(413);
  // A frame whose header asks for a window of 128 MB.
  const bomb = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x88, 0x01, 0x00, 0x00]);
  expect((await send(createPipeline(), bomb, { 'Content-Encoding': 'zstd' })).status).toBe(400);
});

test('a batch that is cut at any byte stores the whole lines before the cut', async () => {
  const body = Buffer.from(lines(click({ tid: 'ä' }), click({ tid: 'b', s2: '\u{1F600}' })));
  for (let length = 0; length <= body.length; length++) {
    const s2s = createPipeline();
    const cut = body.subarray(0, length);
    const { status, body: answer } = await send(s2s, cut);
    if (status === 400) {
      expect(cut.toString().endsWith('\uFFFD')).toBe(true);
      expect(s2s.stored.click).toEqual([]);
      continue;
    }
    const parts = cut.toString().split('\n').filter(Boolean);
    const whole = parts.filter((part) => part.endsWith('}')).length;
    expect(answer).toMatchObject({ accepted: whole, rejected: parts.length - whole });
    expect(s2s.stored.click).toHaveLength(whole);
  }
});

test('an array, or a compressed body, that is cut at any byte is refused, and nothing of it is stored', async () => {
  const records = [click({ tid: 'ä' }), click({ tid: 'b', s2: '\u{1F600}' })];
  const array = Buffer.from(` ${JSON.stringify(records)}`);
  const gzip = zlib.gzipSync(lines(...records));
  for (const [body, headers] of [
    [array, { 'Content-Type': 'application/json' }],
    [gzip, { 'Content-Encoding': 'gzip' }],
  ] as const)
    for (let length = 1; length < body.length; length++) {
      const s2s = createPipeline();
      const { status } = await send(s2s, body.subarray(0, length), headers);
      expect([length, status, s2s.stored.click]).toEqual([length, 400, []]);
    }
});

test('one tid twice has one ID; what cannot be stored is unavailable, and the rest is not touched by it', async () => {
  const s2s = createPipeline({ limit: 3 });
  const same = click({ tid: 'same' });
  const { body } = await send(s2s, lines(same, same, { ...click({ tid: 'x' }), c: 'nope' }, click({ tid: 'y' }), same));
  const [first, second, wrong, third, limited] = body.results as Record<string, unknown>[];
  expect(first).toEqual(ACCEPTED);
  expect(second).toEqual(first);
  expect(wrong).toEqual({ status: 'rejected', code: 400, reason: 'unknown_campaign' });
  expect(third).toEqual(ACCEPTED);
  expect(limited).toEqual({
    status: 'rejected',
    code: 429,
    reason: 'rate_limited',
    retry_after: expect.any(Number) as number,
  });
  const down = createPipeline();
  down.isDown = true;
  const tv = { kind: 'ctv_impression', app_id: 'com.acme.shop', c: 'AbC123', tid: 'tv', ip: PUBLIC_IP };
  expect((await send(down, lines(same, tv))).body).toEqual({
    accepted: 0,
    rejected: 2,
    results: [
      { status: 'rejected', code: 503, reason: 'unavailable', retry_after: 1 },
      { status: 'rejected', code: 400, reason: 'missing_ua' },
    ],
  });
});

test('singles and batches of a campaign share one limit', async () => {
  const s2s = createPipeline({ limit: 100 });
  let accepted = 0;
  for (let i = 0; i < 20; i++) {
    const batch = await send(s2s, lines(...Array.from({ length: 7 }, (_, n) => click({ tid: `mixed-${i}-${n}` }))));
    accepted += batch.body.accepted as number;
    const single = await s2s.ask(`/v1/click/com.acme.shop?c=AbC123&gaid=${GAID}&tid=single-${i}`, {
      'X-Service-Token': TOKEN,
    });
    expect([200, 429]).toContain(single.status);
    if (single.status === 200) accepted += 1;
  }
  expect([accepted, s2s.stored.click.length]).toEqual([100, 100]);
});

test('a batch sent before midnight and again after it has the same IDs', async () => {
  const s2s = createPipeline();
  const body = lines(...Array.from({ length: 50 }, (_, i) => click({ tid: `midnight-${i}` })));
  s2s.clock = Date.parse('2026-03-01T23:59:59.999Z');
  s2s.fill(toConfiguration(workspace));
  const before = await send(s2s, body);
  s2s.clock += 1;
  const after = await send(s2s, body);
  expect(after.body).toEqual(before.body);
  expect(new Set(s2s.stored.click.map(({ click_id }) => click_id)).size).toBe(50);
});

test('four batches of a partner are read at a time, and those of others meanwhile', async () => {
  const turns = new BatchTurns();
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const run = (partnerId: number, name: string) =>
    turns.run(partnerId, () => {
      begun.push(name);
      return new Promise<void>((resolve) => ends.push(resolve));
    });
  const all = ['a', 'b', 'c', 'd', 'e'].map((name) => run(1, name));
  all.push(run(2, 'other'));
  await setImmediate();
  expect(begun).toEqual(['a', 'b', 'c', 'd', 'other']);
  ends.shift()?.();
  await setImmediate();
  expect(begun).toEqual(['a', 'b', 'c', 'd', 'other', 'e']);
  for (const end of ends) end();
  await Promise.all(all);
});

test.each([
  ['lines', (records: object[]) => lines(...records)],
  ['an array', (records: object[]) => `[${records.map((one) => JSON.stringify(one)).join(',')}]`],
])('10,000 records as %s hold the event loop for no longer than a few slices', async (_, write) => {
  const body = write(Array.from({ length: 10_000 }, (_one, i) => click({ tid: `loop-${i}`, ip: PUBLIC_IP })));
  const s2s = createPipeline();
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 1);
  const { body: answer } = await send(s2s, body);
  clearInterval(timer);
  expect(answer.accepted).toBe(10_000);
  // How long a turn takes is measured in test/bench; here, that there are many of them.
  expect(turns).toBeGreaterThan(5);
});

test('every kind is there', () => {
  expect(Object.values(KIND_OF)).toEqual(['click', 'impression', 'ctv_impression']);
});
