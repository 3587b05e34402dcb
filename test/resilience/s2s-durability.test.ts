/**
 * Nothing acknowledged is lost and nothing counts twice, whatever is killed, stopped or repeated (docs/contract.md,
 * S2S).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { sendAll, type RawResponse } from '../support/raw-client';
import { eventually, startService, type RunningService } from '../support/service';
import { GAID, TOKEN, workspace } from '../support/workspace';

const HEADERS = `X-Service-Token: ${TOKEN}\r\n`;
const portOf = (service: RunningService) => Number(new URL(service.url).port);
const click = (tid: string, more = '') => `/v1/click/com.acme.shop?c=AbC123&tid=${tid}&gaid=${GAID}${more}`;
const tidOf = (target: string) => new URLSearchParams(target.split('?')[1]).get('tid') as string;

let service: RunningService;

beforeAll(async () => {
  service = await startService();
  await service.apply(workspace);
});
afterAll(() => service.dispose());

/** Clicks without end, until `stop` is called. */
function endless(prefix: string) {
  let stopped = false;
  let n = 0;
  const targets: Iterator<string> = {
    next: () => (stopped ? { done: true, value: undefined } : { done: false, value: click(`${prefix}-${n++}`) }),
  };
  return { targets, stop: () => (stopped = true) };
}

/**
 * Sends clicks until `work` is done, which is handed what is acknowledged so far; answers that in the end, and every
 * status seen.
 */
async function underLoad(prefix: string, work: (acknowledged: ReadonlyMap<string, string>) => Promise<void>) {
  const acknowledged = new Map<string, string>();
  const statuses = new Map<string, number>();
  const clicks = endless(prefix);
  const load = sendAll(
    portOf(service),
    HEADERS,
    64,
    clicks.targets,
    (target: string, response: RawResponse | undefined) => {
      const status = String(response?.status ?? 'broken');
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (response?.status === 200)
        acknowledged.set(tidOf(target), (JSON.parse(response.body) as { click_id: string }).click_id);
      // A connection that is refused comes back at once: without a breath it would be nothing but refusals.
      return response ? undefined : sleep(5);
    },
  );
  try {
    await work(acknowledged);
  } finally {
    clicks.stop();
    await load;
  }
  return { acknowledged, statuses };
}

async function stored(prefix: string): Promise<Map<string, string>> {
  const rows = await service.rows<{ tid: string; click_id: string }>(
    `SELECT tid, click_id FROM analytics.clicks WHERE startsWith(tid, '${prefix}-')`,
  );
  const byTid = new Map(rows.map((row) => [row.tid, row.click_id]));
  expect(byTid.size).toBe(rows.length);
  return byTid;
}

function expectAllStored(acknowledged: Map<string, string>, present: Map<string, string>): void {
  const missing = [...acknowledged].filter(([tid, id]) => present.get(tid) !== id);
  expect(missing).toEqual([]);
}

const ready = () =>
  eventually('ready', async () =>
    (await service.request('/readyz').catch(() => undefined))?.status === 200 ? true : undefined,
  );

describe('SIGKILL at random moments under load', () => {
  test.each(Array.from({ length: 10 }, (_, i) => [i + 1, i % 2 === 0 ? 'service' : 'ClickHouse']))(
    'round %i: the %s',
    async (round, victim) => {
      const prefix = `kill${round}`;
      const { acknowledged, statuses } = await underLoad(prefix, async (soFar) => {
        await eventually('some are acknowledged', () => (soFar.size > 100 ? true : undefined), 30_000);
        await sleep(Math.random() * 600);
        if (victim === 'service') {
          await service.kill();
          await service.restart();
        } else {
          const [pid] = service.enginePids().clickhouse;
          process.kill(pid as number, 'SIGKILL');
          await eventually('another ClickHouse', () => {
            const [next] = service.enginePids().clickhouse;
            return next !== undefined && next !== pid ? next : undefined;
          });
          await ready();
        }
        await sleep(300);
      });
      expect([...statuses.keys()].filter((status) => !['200', '503', 'broken'].includes(status))).toEqual([]);
      const present = await stored(prefix);
      expectAllStored(acknowledged, present);
      // What was sent again after the kill has the same ID and is still there once.
      const again = [...acknowledged.keys()].slice(-200);
      const answers = new Map<string, string>();
      await sendAll(
        portOf(service),
        HEADERS,
        16,
        again.map((tid) => click(tid, '&s2=again')).values(),
        (target, response) => {
          answers.set(tidOf(target), (JSON.parse(response?.body ?? '{}') as { click_id: string }).click_id);
        },
      );
      for (const tid of again) expect(answers.get(tid)).toBe(acknowledged.get(tid));
      expectAllStored(acknowledged, await stored(prefix));
    },
  );
});

test('ClickHouse stopped for 10 s under load: only 503s meanwhile, full service after, nothing lost', async () => {
  const [pid] = service.enginePids().clickhouse;
  const during = new Map<number, number>();
  const { acknowledged, statuses } = await underLoad('pause', async () => {
    await sleep(500);
    process.kill(pid as number, 'SIGSTOP');
    const stoppedAt = Date.now();
    // What was on its way when it stopped may still be answered; from here on nothing can be stored.
    await sleep(200);
    // The last requests wait for three seconds, and an engine that does not answer is replaced after eleven or more.
    const { acknowledged: none, statuses: meanwhile } = await underLoad('paused', () => sleep(6_000));
    await sleep(stoppedAt + 10_000 - Date.now());
    for (const [status, n] of meanwhile) during.set(Number(status), n);
    expect(none.size).toBe(0);
    process.kill(pid as number, 'SIGCONT');
    await eventually('accepted again', async () =>
      (await service.request(click('pause-after'), { headers: { 'X-Service-Token': TOKEN } })).status === 200
        ? true
        : undefined,
    );
    await sleep(500);
  });
  expect([...during.keys()]).toEqual([503]);
  expect(during.get(503)).toBeGreaterThan(64);
  expect([...statuses.keys()].sort()).toEqual(['200', '503']);
  expectAllStored(acknowledged, await stored('pause'));
});

describe('the same tid again', () => {
  const send = async (tid: string, more = '') => {
    const response = await service.request(click(tid, more), { headers: { 'X-Service-Token': TOKEN } });
    expect(response.status).toBe(200);
    return ((await response.json()) as { click_id: string }).click_id;
  };
  const records = (tid: string) =>
    service.rows<{ click_id: string; s2: string }>(`SELECT click_id, s2 FROM analytics.clicks WHERE tid = '${tid}'`);

  test('at once, and after a restart: the first stays', async () => {
    const id = await send('again', '&s2=first');
    expect(await send('again', '&s2=second')).toBe(id);
    await service.stop();
    await service.restart();
    expect(await send('again', '&s2=third')).toBe(id);
    expect(await records('again')).toEqual([{ click_id: id, s2: 'first' }]);
  });

  test('a hundred times concurrently: one record', async () => {
    const ids = await Promise.all(Array.from({ length: 100 }, (_, i) => send('crowd', `&s2=${i}`)));
    expect(new Set(ids).size).toBe(1);
    expect(await records('crowd')).toHaveLength(1);
  });

  test('a month apart: the rows of the first delivery moved back, the second stores nothing', async () => {
    const tids = Array.from({ length: 300 }, (_, i) => `month-${i}`);
    const ids = new Map<string, string>();
    await Promise.all(tids.map(async (tid) => ids.set(tid, await send(tid, '&s2=first'))));
    await service.clickhouse.command({
      query: `INSERT INTO adtrail.clicks
        SELECT * REPLACE (bucket - 31 AS bucket, received_at - INTERVAL 31 DAY AS received_at)
        FROM adtrail.clicks FINAL
        WHERE startsWith(tid, 'month-')`,
    });
    await service.clickhouse.command({
      query: `ALTER TABLE adtrail.clicks
        DELETE WHERE startsWith(tid, 'month-') AND bucket > today() - 20
        SETTINGS mutations_sync = 2`,
    });
    await service.stop();
    await service.restart();
    await Promise.all(tids.map(async (tid) => expect(await send(tid, '&s2=second')).toBe(ids.get(tid))));
    const rows = await service.rows<{ tid: string; click_id: string; s2: string }>(
      "SELECT tid, click_id, s2 FROM analytics.clicks WHERE startsWith(tid, 'month-')",
    );
    expect(new Map(rows.map((row) => [row.tid, row.click_id]))).toEqual(ids);
    expect(rows).toHaveLength(300);
    expect(new Set(rows.map((row) => row.s2))).toEqual(new Set(['first']));
    // Not even hidden: the base table holds one row for each.
    expect(await service.rows("SELECT count() AS n FROM adtrail.clicks WHERE startsWith(tid, 'month-')")).toEqual([
      { n: 300 },
    ]);
  });

  test('stored on both sides of a midnight by two processes: the sweep leaves the first', async () => {
    const id = '11111111-2222-8333-8444-555555555555';
    await service.clickhouse.command({
      query: `INSERT INTO adtrail.clicks
          (project_id, bucket, campaign_id, click_id, click_time, received_at, tid, version)
        SELECT 1, today() - 1, 2, '${id}', now(), toDateTime64(today(), 3, 'UTC') - 1, 'midnight', 2
        UNION ALL SELECT 1, today(), 2, '${id}', now(), toDateTime64(today(), 3, 'UTC') + 1, 'midnight', 1`,
    });
    expect(await records('midnight')).toHaveLength(2);
    // A start sweeps the midnights of the last days.
    await service.stop();
    await service.restart();
    await eventually('one record', async () => ((await records('midnight')).length === 1 ? true : undefined));
    expect(
      await service.rows("SELECT received_at < today() AS before FROM analytics.clicks WHERE tid = 'midnight'"),
    ).toEqual([{ before: 1 }]);
  });
});
