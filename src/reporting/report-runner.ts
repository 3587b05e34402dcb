/**
 * Where all reports of a process are computed: two at a time, each with half of the memory; what needs more is computed
 * again, alone, with all of it. Most of a small report is planning, which is the work of one core.
 */
import { Semaphore } from 'async-mutex';
import type { ClickHouse } from '../db/clickhouse';
import { ApiError } from '../errors';
import type { Log } from '../log';
import { QueryBudget, OverBudgetError, type ReportLimits } from './query-budget';

/** Reports that are computed at a time. */
const PLACES = 2;
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
  private readonly places = new Semaphore(PLACES);
  private reports = 0;

  constructor(
    private readonly clickhouse: ClickHouse,
    private readonly limits: ReportLimits,
    private readonly log: Pick<Log, 'debug'>,
  ) {}

  /**
   * `work` may be done twice, and must only ask.
   *
   * @throws ApiError 503 with Retry-After for a report over its budget, and at once where too many wait.
   */
  async compute<T>(work: (budget: QueryBudget) => Promise<T>): Promise<T> {
    if (this.reports >= MAX_REPORTS) throw busy();
    this.reports += 1;
    try {
      return await this.computeInTurn(work);
    } catch (error) {
      throw error instanceof OverBudgetError ? tooBig() : error;
    } finally {
      this.reports -= 1;
    }
  }

  private async computeInTurn<T>(work: (budget: QueryBudget) => Promise<T>): Promise<T> {
    const { seconds, bytes, threads } = this.limits;
    let taken = 0;
    try {
      return await this.places.runExclusive(async (free) => {
        const started = performance.now();
        // Who comes second gets one thread: more would take them from ingest.
        const limits = { seconds, bytes: Math.floor(bytes / PLACES), threads: free === PLACES ? threads : 1 };
        try {
          return await this.computeNow(work, limits);
        } finally {
          taken = (performance.now() - started) / 1000;
        }
      });
    } catch (error) {
      if (!(error instanceof OverBudgetError && error.of === 'memory')) throw error;
    }
    const left = { ...this.limits, seconds: seconds - taken };
    return this.places.runExclusive(() => this.computeNow(work, left), PLACES);
  }

  /** The times of the statements are for whoever looks why a report is slow. */
  private async computeNow<T>(work: (budget: QueryBudget) => Promise<T>, limits: ReportLimits): Promise<T> {
    const budget = new QueryBudget(this.clickhouse, limits);
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
