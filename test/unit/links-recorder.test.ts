/** The queue of clicks that wait for ClickHouse: its bounds, its midnights, and what it gives up. */
import { UnavailableError } from '../../src/errors';
import type { NewRecord } from '../../src/ingest/store';
import { ClickRecorder } from '../../src/tracking-links/recorder';
import type { LinkClick } from '../../src/tracking-links/rows';
import { openLink } from '../../src/tracking-links/service';
import type { ConfigSnapshot } from '../../src/configuration/config-snapshot';
import { eventually } from '../support/service';

const click = (id: string, s2 = ''): LinkClick => ({
  id,
  at: 0,
  version: 1,
  projectId: 1,
  campaignId: 2,
  partnerId: 0,
  domain: 'go.acme.example',
  tid: '',
  gaid: null,
  idfa: null,
  ip: '',
  ua: '',
  passthrough: [s2, '', ''],
  parameters: {},
});

/** A store that refuses while `down`, as the real one does while ClickHouse is away. */
function fakeStore() {
  const records: NewRecord[] = [];
  const refusal = new UnavailableError();
  const store = {
    down: true,
    records,
    add(record: NewRecord): Promise<void> {
      if (store.down) return Promise.reject(refusal);
      records.push(record);
      return Promise.resolve();
    },
  };
  return store;
}

test('what was refused is stored later, once, with its ID, in the bucket of the day on which it is', async () => {
  const store = fakeStore();
  let day = '2026-03-05';
  let lost = 0;
  const recorder = new ClickRecorder({ store, today: () => day, onLost: (clicks) => (lost += clicks) });
  expect(await recorder.record(click('a'))).toBe(false);
  expect(await recorder.record(click('b'))).toBe(false);
  day = '2026-03-06';
  store.down = false;
  expect(await recorder.record(click('c'))).toBe(true);
  await eventually('all are stored', () => (store.records.length === 3 ? true : undefined));
  expect(store.records.map(({ id, day: bucket }) => [id, bucket])).toEqual([
    ['c', '2026-03-06'],
    ['a', '2026-03-06'],
    ['b', '2026-03-06'],
  ]);
  expect(store.records.every(({ line }) => line.includes('2026-03-06'))).toBe(true);
  expect(await recorder.drain(1_000)).toBe(0);
  expect(lost).toBe(0);
});

test('the queue is bounded by clicks and by size; what does not fit is counted', async () => {
  for (const [clicks, s2, room] of [
    [20_050, '', 20_000],
    [200, 'x'.repeat(1_000_000), 33],
  ] as const) {
    const store = fakeStore();
    let lost = 0;
    const recorder = new ClickRecorder({ store, today: () => '2026-03-05', onLost: (n) => (lost += n) });
    await Promise.all(Array.from({ length: clicks }, (_, i) => recorder.record(click(String(i), s2))));
    expect(lost).toBe(clicks - room);
    store.down = false;
    expect(await recorder.drain(5_000)).toBe(0);
    expect(store.records).toHaveLength(room);
  }
});

test('a drain ends in time and counts what is left, what is under way included', async () => {
  let lost = 0;
  const hanging = new ClickRecorder({
    store: { add: () => new Promise(() => undefined) },
    today: () => '2026-03-05',
    onLost: (n) => (lost += n),
  });
  expect(await hanging.record(click('hangs'))).toBe(false);
  expect(await hanging.drain(100)).toBe(1);
  const refusing = new ClickRecorder({ store: fakeStore(), today: () => '2026-03-05', onLost: (n) => (lost += n) });
  await refusing.record(click('refused'));
  expect(await refusing.drain(100)).toBe(1);
  expect(lost).toBe(2);
});

test('by a configuration that is too old no link is opened', async () => {
  const visit = {
    domain: 'go.acme.example',
    target: '/?c=x',
    isHead: false,
    ip: '',
    userAgent: '',
    platformHint: undefined,
  };
  const stale = {
    snapshot: { stale: true } as ConfigSnapshot,
    receipts: { next: () => ({ at: 0, day: '', version: 0 }) } as never,
    recorder: { record: () => Promise.resolve(true) },
  };
  await expect(openLink(stale, visit)).rejects.toThrow(UnavailableError);
});
