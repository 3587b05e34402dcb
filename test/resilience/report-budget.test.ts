/** What a report may take: so long and no longer, so much memory and no more, inside ClickHouse too. */
import { connectClickHouse, type ClickHouse } from '../../src/db/clickhouse';
import type { QueryBudget } from '../../src/reporting/query-budget';
import { ReportRunner } from '../../src/reporting/report-runner';
import { NO_TRACING } from '../../src/tracing/tracing';
import { CLICKHOUSE_PASSWORD, startService, type RunningService } from '../support/service';

/** Takes hours. */
const ENDLESS = 'SELECT count() AS n FROM numbers(1000000000000000) WHERE sipHash64(number) = 1';
const tooBig = {
  status: 503,
  message:
    'The report takes more time or memory than a report may. Please ask for a shorter range, or try again later.',
  headers: { 'Retry-After': '60' },
};

let service: RunningService;
let clickhouse: ClickHouse;
const logged: string[] = [];
const log = { debug: (text: string) => void logged.push(text) };
const reportsOf = (seconds: number) =>
  new ReportRunner(clickhouse, { seconds, bytes: 200_000_000, threads: 2 }, log, () => undefined, NO_TRACING);
const statement = (text: string, name = 'a statement') => ({ name, text });
beforeAll(async () => {
  service = await startService({ ROLES: 's2s' });
  clickhouse = connectClickHouse(service.clickhouseUrl, CLICKHOUSE_PASSWORD);
});
afterAll(async () => {
  await clickhouse.close();
  await service.dispose();
});

test('a report over its time is refused, ends inside ClickHouse too, and the next one runs', async () => {
  const reports = reportsOf(1);
  const first = reports.compute('one', (budget) => budget.rows(statement(ENDLESS, 'endless'), {}));
  // There are places for two, so that it does not wait.
  const second = reports.compute('one', (budget) => budget.rows(statement('SELECT 1 AS one'), {}));
  expect(await second).toEqual([{ one: 1 }]);
  await expect(first).rejects.toMatchObject(tooBig);
  expect(
    await service.rows(
      `SELECT query
       FROM system.processes
       WHERE query LIKE '%sipHash64(number)%' AND query NOT LIKE '%system.processes%'`,
    ),
  ).toEqual([]);
  // Why a report is slow is in the log, of one that was refused too.
  expect(logged).toEqual([
    expect.stringMatching(/^The report [a-z-]+ took \d+ ms: a statement \d+ ms$/),
    expect.stringMatching(/^The report [a-z-]+ took \d+ ms: endless \d{3,} ms$/),
  ]);
}, 180_000);

test('the time is that of all its queries together', async () => {
  const asked: number[] = [];
  const many = async (budget: QueryBudget) => {
    for (let i = 0; i < 1000; i++) {
      await budget.rows(statement('SELECT sleep(0.3) AS slept'), {});
      asked.push(i);
    }
  };
  await expect(reportsOf(1).compute('one', many)).rejects.toMatchObject(tooBig);
  expect(asked.length).toBeLessThan(10);
}, 180_000);

test('a report over its memory is refused', async () => {
  await expect(
    reportsOf(30).compute('one', (budget) =>
      budget.rows(statement('SELECT uniqExact(number) AS n FROM numbers(100000000)'), {}),
    ),
  ).rejects.toMatchObject(tooBig);
}, 180_000);

test('where too many wait, the next is refused at once', async () => {
  const reports = reportsOf(30);
  const answers = await Promise.allSettled(
    Array.from({ length: 40 }, () => reports.compute('one', (budget) => budget.rows(statement('SELECT 1 AS one'), {}))),
  );
  const told = answers.filter((answer) => answer.status === 'rejected').map(({ reason }) => reason as unknown);
  expect(told.length).toBeGreaterThan(0);
  expect(answers.length - told.length).toBeGreaterThanOrEqual(20);
  for (const reason of told)
    expect(reason).toMatchObject({
      status: 503,
      message: 'Too many reports are being computed. Please try again later.',
      headers: { 'Retry-After': '10' },
    });
});
