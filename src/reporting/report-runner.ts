/** Where all reports of a process are computed: one after the other, each within its budget. */
import type { ClickHouse } from '../db/clickhouse';
import { ApiError } from '../errors';
import { QueryBudget, OverBudgetError, type ReportLimits } from './query-budget';
import { BusyError, SerialQueue } from './serial-queue';

/** So many reports wait for the one that is being computed. */
const MAX_WAITING = 20;

const tooBig = () =>
  new ApiError(
    503,
    'The report takes more time or memory than a report may. Please ask for a shorter range, or try again later.',
    { 'Retry-After': '60' },
  );
const busy = () =>
  new ApiError(503, 'Too many reports are being computed. Please try again later.', { 'Retry-After': '10' });

export class ReportRunner {
  private readonly turns = new SerialQueue(MAX_WAITING);

  constructor(
    private readonly clickhouse: ClickHouse,
    private readonly limits: ReportLimits,
  ) {}

  /** @throws ApiError 503 with Retry-After for a report over its budget, and at once where too many wait. */
  async compute<T>(work: (budget: QueryBudget) => Promise<T>): Promise<T> {
    try {
      return await this.turns.take(() => work(new QueryBudget(this.clickhouse, this.limits)));
    } catch (error) {
      if (error instanceof OverBudgetError) throw tooBig();
      if (error instanceof BusyError) throw busy();
      throw error;
    }
  }
}
