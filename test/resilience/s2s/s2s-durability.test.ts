/**
 * Nothing acknowledged is lost and nothing counts twice, whatever is killed, stopped or repeated
 * (docs/contract/s2s.md).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { sendAll, type RawResponse } from '../../support/s2s/raw-client';
import { eventually, startService, type RunningService } from '../../support/service';
import { GAID, TOKEN, workspace } from '../../support/workspace/workspace';
import { rounds, seeded } from '../../support/soak';
import { senderScenario } from './sender.scenario';

const HEADERS = `X-Service-Token: ${TOKEN}\r\n`;
const readPort = (service: RunningService) => Number(new URL(service.url).port);
const click = (tid: string, more = '') => `/v1/click/com.acme.shop?c=AbC123&tid=${tid}&gaid=${GAID}${more}`;
/** One in five requests is a retry. */
const RETRIES = 5;
const readTid = (target: string) => new URLSearchParams(target.split('?')[1]).get('tid') as string;

let service: RunningService;

beforeAll(async () => {
  service = await startService({ ACCEPT_AFTER: 'log', FSYNC: 'true' });
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
  return { targets, stop: () => (stopped = true), isStopped: () => stopped };
}

/**
 * Sends batches of 20 clicks, each the second half of the one before and 10 new ones, one after the other until
 * `isStopped`; tells of every record that is accepted, and of every status.
 */
async function sendBatches(
  prefix: string,
  isStopped: () => boolean,
  note: (status: string, accepted: ReadonlyMap<string, string>) => void,
): Promise<void> {
  const record = (n: number) => ({
    kind: 'click',
    app_id: 'com.acme.shop',
    c: 'AbC123',
    tid: `${prefix}-b${n}`,
    gaid: GAID,
  });
  for (let from = 0; !isStopped(); from += 10) {
    const records = Array.from({ length: 20 }, (_, i) => record(from + i));
    const response = await service
      .request('/v1/batch', {
        method: 'POST',
        headers: { 'X-Service-Token': TOKEN, 'Content-Type': 'application/x-ndjson' },
        body: records.map((one) => JSON.stringify(one)).join('\n'),
      })
      .catch(() => undefined);
    const text = await response?.text().catch(() => undefined);
    if (!response || text === undefined) {
      note('broken', new Map());
      await sleep(5);
      continue;
    }
    const { results = [] } = JSON.parse(text) as { results?: { click_id?: string; reason?: string }[] };
    expect(results.filter(({ reason }) => reason !== undefined && reason !== 'unavailable')).toEqual([]);
    const accepted = results.flatMap(({ click_id: id }, i): [string, string][] =>
      id ? [[record(from + i).tid, id]] : [],
    );
    note(String(response.status), new Map(accepted));
  }
}

/**
 * Sends clicks until `work` is done, which is handed what is acknowledged so far; answers that in the end, and every
 * status seen.
 */
async function underLoad(prefix: string, work: (acknowledged: ReadonlyMap<string, string>) => Promise<void>) {
  const acknowledged = new Map<string, string>();
  const statuses = new Map<string, number>();
  const clicks = endless(prefix);
  let retried = 0;
  const targets: Iterator<string> = {
    next() {
      const recent = retried++ % RETRIES === 0 ? [...acknowledged.keys()].at(-1) : undefined;
      return recent ? { done: false, value: click(recent, '&s2=retry') } : clicks.targets.next();
    },
  };
  const load = sendAll(
    readPort(service),
    HEADERS,
    64,
    { next: () => (clicks.isStopped() ? { done: true, value: undefined } : targets.next()) },
    (target: string, response: RawResponse | undefined) => {
      const status = String(response?.status ?? 'broken');
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (response?.status === 200)
        acknowledged.set(readTid(target), (JSON.parse(response.body) as { click_id: string }).click_id);
      // A connection that is refused comes back at once: without a breath it would be nothing but refusals.
      return response ? undefined : sleep(5);
    },
  );
  const batches = sendBatches(prefix, clicks.isStopped, (status, accepted) => {
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    for (const [tid, id] of accepted) acknowledged.set(tid, id);
  });
  try {
    await work(acknowledged);
  } finally {
    clicks.stop();
    await Promise.all([load, batches]);
  }
  return { acknowledged, statuses };
}

/** Every record that is acknowledged is there within this time, once, as it was sent first. */
async function expectAllStored(prefix: string, acknowledged: ReadonlyMap<string, string>, ms = 10_000): Promise<void> {
  const giveUp = Date.now() + ms;
  for (;;) {
    const rows = await service
      .rows<{ tid: string; click_id: string; s2: string }>(
        `SELECT tid, click_id, s2 FROM analytics.clicks WHERE startsWith(tid, '${prefix}-')`,
      )
      .catch((error: unknown) => {
        // ClickHouse may just be starting again.
        if (Date.now() > giveUp) throw error;
      });
    if (!rows) {
      await sleep(100);
      continue;
    }
    const present = new Map(rows.map((row) => [row.tid, row.click_id]));
    expect(present.size).toBe(rows.length);
    const missing = [...acknowledged].filter(([tid, id]) => present.get(tid) !== id);
    if (missing.length > 0 && Date.now() < giveUp) {
      await sleep(100);
      continue;
    }
    expect(missing).toEqual([]);
    expect(rows.filter(({ tid, s2 }) => s2 !== '' && acknowledged.has(tid))).toEqual([]);
    return;
  }
}

const random = seeded();
const VICTIMS = ['service', 'ClickHouse', 'service and ClickHouse'] as const;

describe('SIGKILL at random moments under load, retries among it', () => {
  test.each(
    Array.from({ length: rounds(3, 30) }, (_, i) => [i + 1, VICTIMS[i % 3] as (typeof VICTIMS)[number]] as const),
  )('round %i: the %s', async (round, victim) => {
    const prefix = `kill${round}`;
    const { acknowledged, statuses } = await underLoad(prefix, async (soFar) => {
      await eventually('some are acknowledged', () => (soFar.size > 100 ? true : undefined), 30_000);
      await sleep(random() * 600);
      const [pid] = service.enginePids().clickhouse;
      if (victim !== 'service') process.kill(pid as number, 'SIGKILL');
      if (victim !== 'ClickHouse') {
        await service.kill();
        await service.restart();
      } else await sleep(300);
      await sleep(200);
    });
    expect([...statuses.keys()].filter((status) => !['200', 'broken'].includes(status))).toEqual([]);
    await expectAllStored(prefix, acknowledged, 20_000);
  });
});

test('ClickHouse stopped for seconds under load: nothing is refused, all is stored soon after', async () => {
  const [pid] = service.enginePids().clickhouse;
  const { acknowledged, statuses } = await underLoad('pause', async (soFar) => {
    await sleep(500);
    process.kill(pid as number, 'SIGSTOP');
    try {
      await sleep(rounds(4_000, 10_000));
      expect((await service.request('/healthz')).status).toBe(200);
      await eventually('clicks are accepted meanwhile', () => (soFar.size > rounds(1_000, 5_000) ? true : undefined));
    } finally {
      process.kill(pid as number, 'SIGCONT');
    }
    await sleep(500);
  });
  expect([...statuses.keys()]).toEqual(['200']);
  await expectAllStored('pause', acknowledged, 30_000);
}, 360_000);

describe('the same tid again', () => {
  // What is acknowledged can be read at once.
  const restart = async () => {
    await service.stop();
    await service.restart({});
  };
  beforeAll(restart);

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
    await restart();
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
    await restart();
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

  test('stored on both sides of a midnight by two processes: a sweep leaves the first', async () => {
    const id = '11111111-2222-8333-8444-555555555555';
    await service.clickhouse.command({
      query: `INSERT INTO adtrail.clicks
          (project_id, bucket, campaign_id, click_id, click_time, received_at, tid, version)
        SELECT 1, today() - 1, 2, '${id}', now(), toDateTime64(today(), 3, 'UTC') - 1, 'midnight', 2
        UNION ALL SELECT 1, today(), 2, '${id}', now(), toDateTime64(today(), 3, 'UTC') + 1, 'midnight', 1`,
    });
    expect(await records('midnight')).toHaveLength(2);
    // A start sweeps the midnights of the last days.
    await restart();
    await eventually('one record', async () => ((await records('midnight')).length === 1 ? true : undefined));
    expect(
      await service.rows("SELECT received_at < today() AS before FROM analytics.clicks WHERE tid = 'midnight'"),
    ).toEqual([{ before: 1 }]);
  });

  /** A click of today with a version, as if it were received then. */
  const insertReceived = (tid: string, version: number) =>
    service.clickhouse.command({
      query: `INSERT INTO adtrail.clicks
          (project_id, bucket, campaign_id, click_id, click_time, received_at, tid, version)
        SELECT 1, today(), 2, generateUUIDv4(), now(), now64(3), '${tid}', ${version}`,
    });
  const readVersion = async (tid: string) =>
    Number(
      (
        await service.rows<{ version: string }>(`SELECT toString(version) AS version
      FROM adtrail.clicks WHERE tid = '${tid}'`)
      )[0]?.version,
    );

  test('after a restart with a clock that was set back, behind what was received before', async () => {
    const ahead = Number.MAX_SAFE_INTEGER - (Date.now() + 60_000) * 1_000;
    await insertReceived('ahead', ahead);
    await restart();
    await send('set-back');
    expect(await readVersion('set-back')).toBe(ahead - 1);
  });

  test('after a restart, behind a row of today that somebody inserted with a version of their own', async () => {
    await insertReceived('by-hand', 1);
    await restart();
    const tids = ['behind-1', 'behind-2', 'behind-3'];
    for (const tid of tids) await send(tid);
    for (const tid of tids) expect([tid, await records(tid)]).toEqual([tid, [expect.anything()]]);
    expect(service.output()).not.toContain('go by the clock alone');
  });
});

describe('the kit for senders', () => senderScenario(() => service));
