/** The queue of clicks that wait for the ingest log: its bounds, its midnights, and what it gives up. */
import { UnavailableError } from '../../../src/errors';
import { NotStoredYetError } from '../../../src/ingest/log/ingest-log';
import { Receipts } from '../../../src/ingest/receipts';
import type { NewRecord } from '../../../src/ingest/record';
import { ClickRecorder } from '../../../src/links/recorder';
import type { LinkClick } from '../../../src/links/rows';
import { openLink } from '../../../src/links/service';
import type { ConfigSnapshot } from '../../../src/configuration/config-snapshot';
import { eventually } from '../../support/waiting';

const click = (id: string, s2 = ''): LinkClick => ({
  id,
  at: 0,
  projectId: 1,
  campaignId: 2,
  partnerId: 0,
  domain: 'go.acme.example',
  tid: '',
  gaid: null,
  idfa: null,
  ip: '',
  ua: '',
  referrer: '',
  passthrough: [s2, '', ''],
  parameters: {},
});

const receipts = new Receipts(() => Date.now());

/** A store that refuses while `down`, as the real one does while the disk is full. */
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

test('what was refused is stored later, once, with its ID, as received when it is', async () => {
  const store = fakeStore();
  let now = Date.parse('2026-03-05T23:59:59Z');
  let lost = 0;
  const recorder = new ClickRecorder({
    store,
    receipts: new Receipts(() => now),
    onLost: (clicks) => (lost += clicks),
  });
  expect(await recorder.record(click('a'))).toBe(false);
  expect(await recorder.record(click('b'))).toBe(false);
  now = Date.parse('2026-03-06T00:00:10Z');
  store.down = false;
  expect(await recorder.record(click('c'))).toBe(true);
  await eventually('all are stored', () => (store.records.length === 3 ? true : undefined));
  expect(store.records.map(({ id, at }) => [id, at])).toEqual([
    ['c', now],
    ['a', now],
    ['b', now],
  ]);
  expect(store.records.every(({ row }) => row.bucket === '2026-03-06')).toBe(true);
  await recorder.flush(1_000);
  expect([recorder.close(), lost]).toEqual([0, 0]);
});

test('a click in the log that ClickHouse has not taken in time is not given to the log again', async () => {
  let given = 0;
  const store = { add: () => ((given += 1), Promise.reject(new NotStoredYetError())) };
  const recorder = new ClickRecorder({ store, receipts, onLost: () => undefined });
  expect(await recorder.record(click('a'))).toBe(false);
  await recorder.flush(1_000);
  expect([recorder.close(), given]).toEqual([0, 1]);
});

test('the queue is bounded by clicks and by size; what does not fit is counted', async () => {
  for (const [clicks, s2, room] of [
    [20_050, '', 20_000],
    [40, 'x'.repeat(1_000_000), 33],
  ] as const) {
    const store = fakeStore();
    let lost = 0;
    const recorder = new ClickRecorder({ store, receipts, onLost: (n) => (lost += n) });
    await Promise.all(Array.from({ length: clicks }, (_, i) => recorder.record(click(String(i), s2))));
    expect(lost).toBe(clicks - room);
    store.down = false;
    await recorder.flush(60_000);
    expect(recorder.close()).toBe(0);
    expect(store.records).toHaveLength(room);
  }
});

test('a flush ends in time, and what is left then is counted, what is under way included', async () => {
  let lost = 0;
  const hanging = new ClickRecorder({
    store: { add: () => new Promise(() => undefined) },
    receipts,
    onLost: (n) => (lost += n),
  });
  expect(await hanging.record(click('hangs'))).toBe(false);
  await hanging.flush(100);
  expect(hanging.close()).toBe(1);
  const refusing = new ClickRecorder({ store: fakeStore(), receipts, onLost: (n) => (lost += n) });
  await refusing.record(click('refused'));
  await refusing.flush(100);
  expect(refusing.close()).toBe(1);
  expect(lost).toBe(2);
});

test('by a configuration that is too old no link is opened', async () => {
  const visit = {
    domain: 'go.acme.example',
    target: '/?c=x',
    isHead: false,
    isPrefetch: false,
    ip: '',
    userAgent: '',
    platformHint: undefined,
    referrer: '',
  };
  const stale = {
    snapshot: { stale: true } as ConfigSnapshot,
    now: () => 0,
    recorder: { record: () => Promise.resolve(true) },
  };
  await expect(openLink(stale, visit)).rejects.toThrow(UnavailableError);
});
