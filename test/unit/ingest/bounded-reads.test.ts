/** What a question about single records may take of ClickHouse. */
import { ClickHouseError } from '@clickhouse/client';
import type { Limits } from '../../../src/db/clickhouse';
import { boundedReads } from '../../../src/reporting/bounded-reads';

const LIMITS = { seconds: 10, bytes: 1000, threads: 2 };

/** Reads of a ClickHouse that answers with the limits that it was given, or fails. */
const listReads = (error?: Error) =>
  boundedReads(
    { rows: (async (_: string, __: unknown, limits?: Limits) => (error ? Promise.reject(error) : [limits])) as never },
    LIMITS,
  );
const failure = (code: string) => new ClickHouseError({ message: 'It failed', code, type: 'FAILED' });

test('each statement has the limits', async () => {
  expect(await listReads().rows('SELECT 1')).toEqual([
    { max_execution_time: 10, max_memory_usage: '1000', max_threads: 2 },
  ]);
});

test.each(['159', '160', '241'])('what takes more, as code %s says, is 503 with a time to come again', async (code) => {
  await expect(listReads(failure(code)).rows('SELECT 1')).rejects.toMatchObject({
    status: 503,
    headers: { 'Retry-After': '60' },
  });
});

test('other failures stay as they are', async () => {
  const other = failure('47');
  await expect(listReads(other).rows('SELECT 1')).rejects.toBe(other);
});
