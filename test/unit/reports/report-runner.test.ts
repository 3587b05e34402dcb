/** How reports share what a process gives them: two at a time, and all of it for the one that needs it. */
import { ClickHouseError } from '@clickhouse/client';
import type { ClickHouse, Limits } from '../../../src/db/clickhouse';
import { ReportRunner } from '../../../src/reporting/report-runner';
import { NO_TRACING } from '../../../src/tracing/tracing';

const LIMITS = { seconds: 10, bytes: 1000, threads: 2 };
const tooMuch = new ClickHouseError({ message: 'Memory limit exceeded', code: '241', type: 'MEMORY_LIMIT_EXCEEDED' });

/** Answers a statement that is a number of bytes, if it may take so many; a moment later. */
function engine() {
  const asked: { bytes: number; threads: unknown }[] = [];
  let [taken, most, running, together] = [0, 0, 0, 0];
  const rows = async (text: string, _: unknown, limits: Limits = {}) => {
    const bytes = Number(limits.max_memory_usage);
    asked.push({ bytes, threads: limits.max_threads });
    [taken, running] = [taken + bytes, running + 1];
    [most, together] = [Math.max(most, taken), Math.max(together, running)];
    await new Promise((resolve) => setTimeout(resolve, 5));
    [taken, running] = [taken - bytes, running - 1];
    if (Number(text) > bytes) throw tooMuch;
    return [];
  };
  const figures = () => ({ most, together });
  return { clickhouse: { rows } as unknown as ClickHouse, asked, figures };
}

const readRunner = (clickhouse: ClickHouse) =>
  new ReportRunner(clickhouse, LIMITS, { debug: () => undefined }, () => undefined, NO_TRACING);
const report = (reports: ReportRunner, bytes: number) =>
  reports.compute('one', (budget) => budget.rows({ name: 'one', text: String(bytes) }, {}));

test('two are computed at a time; together they have the memory of one, and three threads', async () => {
  const { clickhouse, asked, figures } = engine();
  const reports = readRunner(clickhouse);
  await Promise.all([1, 2, 3, 4].map((bytes) => report(reports, bytes)));
  expect(figures()).toEqual({ most: 1000, together: 2 });
  expect(asked.slice(0, 2)).toEqual([
    { bytes: 500, threads: 2 },
    { bytes: 500, threads: 1 },
  ]);
});

test('what needs more than half is computed again, alone, with all of it', async () => {
  const { clickhouse, asked, figures } = engine();
  const reports = readRunner(clickhouse);
  await Promise.all([700, 1, 800, 2].map((bytes) => report(reports, bytes)));
  expect(figures()).toEqual({ most: 1000, together: 2 });
  expect(asked.filter(({ bytes }) => bytes === 1000)).toEqual(Array(2).fill({ bytes: 1000, threads: 2 }));
});

test('what needs more than all of it is refused, and the next one runs', async () => {
  const { clickhouse, asked } = engine();
  const reports = readRunner(clickhouse);
  await expect(report(reports, 1001)).rejects.toMatchObject({ status: 503, headers: { 'Retry-After': '60' } });
  expect(asked.map(({ bytes }) => bytes)).toEqual([500, 1000]);
  expect(await report(reports, 1)).toEqual([]);
});
