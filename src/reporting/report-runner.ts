/**
 * Where all reports of a process are computed: two at a time, each with half of the memory; what needs more is computed
 * again, alone, with all of it. Most of a small report is planning, which is the work of one core.
 */
import { Semaphore } from 'async-mutex';
import type { ClickHouse } from '../db/clickhouse';
import { ApiError } from '../errors';
import type { Log } from '../lib/log';
import type { Tracing } from '../tracing/tracing';
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

/** What became of a report: `busy` where too many waited, `over_budget` where it took more than it may. */
export type ReportOutcome = 'done' | 'failed' | 'over_budget' | 'busy';

/** Called for every report, for metrics; the seconds include those in which it waited for its place. */
export type ObserveReport = (name: string, outcome: ReportOutcome, seconds: number) => void;

export class ReportRunner {
  private readonly places = new Semaphore(PLACES);
  private reports = 0;
  private running = 0;

  constructor(
    private readonly clickhouse: ClickHouse,
    private readonly limits: ReportLimits,
    private readonly log: Pick<Log, 'debug'>,
    private readonly observe: ObserveReport,
    private readonly tracing: Pick<Tracing, 'span'>,
  ) {}

  /** How many reports have a place, and how many wait for one. */
  get load(): { readonly running: number; readonly waiting: number } {
    return { running: this.running, waiting: this.reports - this.running };
  }

  /**
   * `work` may be done twice, and must only ask. `name` is one of a few, for metrics.
   *
   * @throws ApiError 503 with Retry-After for a report over its budget, and at once where too many wait.
   */
  async compute<T>(name: string, work: (budget: QueryBudget) => Promise<T>): Promise<T> {
    const started = performance.now();
    const observe = (outcome: ReportOutcome) => this.observe(name, outcome, (performance.now() - started) / 1000);
    if (this.reports >= MAX_REPORTS) {
      observe('busy');
      throw busy();
    }
    this.reports += 1;
    try {
      const answer = await this.tracing.span(`report ${name}`, {}, () => this.computeInTurn(name, work));
      observe('done');
      return answer;
    } catch (error) {
      observe(error instanceof OverBudgetError ? 'over_budget' : 'failed');
      throw error instanceof OverBudgetError ? tooBig() : error;
    } finally {
      this.reports -= 1;
    }
  }

  private async computeInTurn<T>(name: string, work: (budget: QueryBudget) => Promise<T>): Promise<T> {
    const { seconds, bytes, threads } = this.limits;
    let taken = 0;
    try {
      return await this.places.runExclusive(async (free) => {
        const started = performance.now();
        // Who comes second gets one thread: more would take them from ingest.
        const limits = { seconds, bytes: Math.floor(bytes / PLACES), threads: free === PLACES ? threads : 1 };
        try {
          return await this.computeNow(name, work, limits);
        } finally {
          taken = (performance.now() - started) / 1000;
        }
      });
    } catch (error) {
      if (!(error instanceof OverBudgetError && error.of === 'memory')) throw error;
    }
    const left = { ...this.limits, seconds: seconds - taken };
    return this.places.runExclusive(() => this.computeNow(name, work, left), PLACES);
  }

  /** The times of the statements are for whoever looks why a report is slow. */
  private async computeNow<T>(
    name: string,
    work: (budget: QueryBudget) => Promise<T>,
    limits: ReportLimits,
  ): Promise<T> {
    const budget = new QueryBudget(this.clickhouse, limits);
    const started = performance.now();
    this.running += 1;
    try {
      return await work(budget);
    } finally {
      this.running -= 1;
      const took = Math.round(performance.now() - started);
      const statements = budget.asked.map(({ name, ms }) => `${name} ${Math.round(ms)} ms`);
      this.log.debug(`The report ${name} took ${took} ms: ${statements.join(', ')}`);
    }
  }
}
