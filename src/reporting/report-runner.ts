/** Where all reports of a process are computed: one after the other, each within its budget. */
import { Mutex } from 'async-mutex';
import type { ClickHouse } from '../db/clickhouse';
import { ApiError } from '../errors';
import type { Log } from '../log';
import { QueryBudget, OverBudgetError, type ReportLimits } from './query-budget';

/** Reports that are computed or wait for it. */
const MAX_REPORTS = 21;

const tooBig = () =>
  new ApiError(
    503,
    'The report takes more time or memory than a report may. Please ask for a shorter range, or try again later.',
    { 'Retry-After': '60' },
  );
const busy = () =>
  new ApiError(503, 'Too many reports are being computed. Please try again later.', { 'Retry-After': '10' });

export class ReportRunner {
  private readonly mutex = new Mutex();
  private reports = 0;

  constructor(
    private readonly clickhouse: ClickHouse,
    private readonly limits: ReportLimits,
    private readonly log: Pick<Log, 'debug'>,
  ) {}

  /** @throws ApiError 503 with Retry-After for a report over its budget, and at once where too many wait. */
  async compute<T>(work: (budget: QueryBudget) => Promise<T>): Promise<T> {
    if (this.reports >= MAX_REPORTS) throw busy();
    this.reports += 1;
    try {
      return await this.mutex.runExclusive(() => this.computeNow(work));
    } catch (error) {
      throw error instanceof OverBudgetError ? tooBig() : error;
    } finally {
      this.reports -= 1;
    }
  }

  /** The times of the statements are for whoever looks why a report is slow. */
  private async computeNow<T>(work: (budget: QueryBudget) => Promise<T>): Promise<T> {
    const budget = new QueryBudget(this.clickhouse, this.limits);
    const started = performance.now();
    try {
      return await work(budget);
    } finally {
      const took = Math.round(performance.now() - started);
      const statements = budget.asked.map(({ name, ms }) => `${name} ${Math.round(ms)} ms`);
      this.log.debug(`A report took ${took} ms: ${statements.join(', ')}`);
    }
  }
}
