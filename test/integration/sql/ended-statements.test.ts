/**
 * How long statements of the service are waited for, and that those that nobody waits for any more end in ClickHouse,
 * too (src/db/clickhouse.ts).
 */
import { randomUUID } from 'node:crypto';
import { connectClickHouse, type ClickHouseReads } from '../../../src/db/clickhouse';
import { CLICKHOUSE_PASSWORD, eventually } from '../../support/service';
import { sharedService } from '../../support/shared-service';

const service = sharedService();
const clickhouse = connectClickHouse(service.clickhouseUrl, CLICKHOUSE_PASSWORD);
afterAll(() => clickhouse.close());

/** By itself it would run for hours. */
const endless = (id: string) => `SELECT '${id}' AS id, sum(sipHash64(number)) AS sum FROM numbers(1000000000000)`;
const ways: Readonly<Record<string, (reads: ClickHouseReads, sql: string) => Promise<unknown>>> = {
  rows: (reads, sql) => reads.rows(sql),
  file: async (reads, sql) => (await reads.file(sql, {}, 'JSONEachRow', {})).toArray(),
  tuples: async (reads, sql) => {
    for await (const row of await reads.tuples(sql, {}, {})) return row;
    return undefined;
  },
};

test.each(Object.keys(ways))('%s end with their signal', async (way) => {
  const id = randomUUID();
  const isRunning = async () => {
    const [first, rest] = [id.slice(0, 8), id.slice(8)];
    const text = `SELECT count() AS n FROM system.processes WHERE query LIKE '%${first}' || '${rest}%'`;
    return Number((await service.rows<{ n: string }>(text))[0]?.n) > 0;
  };
  const controller = new AbortController();
  const asked = ways[way]?.(clickhouse.until(controller.signal), endless(id)) as Promise<unknown>;
  const ended = asked.then(
    () => 'answered',
    () => 'ended',
  );
  await eventually('it runs', async () => (await isRunning()) || undefined);
  controller.abort(new Error('its turn is over'));
  expect(await ended).toBe('ended');
  await eventually('it has ended', async () => !(await isRunning()) || undefined);
});

test('what may be ended may only read', async () => {
  const reads = clickhouse.until(new AbortController().signal);
  expect(await reads.rows<{ one: number }>('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  await expect(reads.rows("INSERT INTO adtrail.clicks (tid) SELECT 'x'")).rejects.toThrow(/readonly/i);
});

test('rows are waited for as long as their limits let them take', async () => {
  const hasty = connectClickHouse(service.clickhouseUrl, CLICKHOUSE_PASSWORD, {
    connections: 2,
    waits: { request: 200, patient: 60_000 },
  });
  try {
    const slow = 'SELECT sleep(1) AS slept';
    await expect(hasty.rows(slow)).rejects.toThrow('ClickHouse is not available');
    expect(await hasty.rows(slow, {}, { max_execution_time: 60 })).toEqual([{ slept: 0 }]);
    const { signal } = new AbortController();
    expect(await hasty.until(signal).rows(slow, {}, { max_execution_time: 60 })).toEqual([{ slept: 0 }]);
  } finally {
    await hasty.close();
  }
});
