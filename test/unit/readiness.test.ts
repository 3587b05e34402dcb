import { createReadiness, type Check } from '../../src/http/readiness';
import { WriteHealth } from '../../src/ingest/write-health';
import { diskSpace } from '../../src/wiring/readiness';

const check = (name: string, required: boolean, run: Check['run']): Check => ({ name, required, run });

test('only what is required decides; all is shown', async () => {
  const ready = createReadiness(
    [check('good', true, () => ({ ok: true, more: 1 })), check('bad', false, () => Promise.reject(new Error()))],
    () => 0,
  );
  expect(await ready()).toEqual({
    ready: true,
    checks: { good: { required: true, ok: true, more: 1 }, bad: { required: false, ok: false } },
  });
  expect(await createReadiness([check('bad', true, () => ({ ok: false }))], () => 0)()).toMatchObject({ ready: false });
});

test('an answer holds for a second, and those who ask at once share it', async () => {
  let now = 0;
  let runs = 0;
  const ready = createReadiness([check('one', true, () => ({ ok: (runs += 1) > 0 }))], () => now);
  await Promise.all(Array.from({ length: 100 }, ready));
  now = 999;
  await ready();
  expect(runs).toBe(1);
  now = 1_000;
  await ready();
  expect(runs).toBe(2);
});

test('a check that hangs has failed, and is not asked again until it ends', async () => {
  let now = 0;
  let runs = 0;
  const ready = createReadiness(
    [check('hangs', true, () => ((runs += 1), new Promise<never>(() => undefined)))],
    () => now,
  );
  expect(await ready()).toMatchObject({ ready: false });
  now = 5_000;
  expect(await ready()).toMatchObject({ ready: false });
  expect(runs).toBe(1);
});

test('the last write decides, and a failure for five seconds only', () => {
  const writes = new WriteHealth();
  expect(writes.look(0)).toEqual({ ok: true, last_seconds_ago: null });
  writes.note(false, 1_000);
  expect(writes.look(6_000)).toEqual({ ok: false, last_seconds_ago: 5 });
  expect(writes.look(6_001).ok).toBe(true);
  writes.note(true, 7_000);
  expect(writes.look(7_000)).toEqual({ ok: true, last_seconds_ago: 0 });
});

test('a full disk is no place to store anything; without a folder none is needed', async () => {
  const free = (blocks: number) =>
    diskSpace('/', (() => Promise.resolve({ bavail: blocks, bsize: 1_000_000 })) as never);
  expect(await free(99)).toEqual({ ok: false, free_mb: 99 });
  expect(await free(100)).toEqual({ ok: true, free_mb: 100 });
  expect(await diskSpace('/no/such/folder')).toEqual({ ok: true, free_mb: null });
});
