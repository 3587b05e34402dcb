/** What one report may take of ClickHouse. */
import { ClickHouseError } from '@clickhouse/client';
import type { ClickHouse } from '../db/clickhouse';
import type { Row } from '../db/postgres';
import { WITHOUT_REWRITES } from '../db/without-rewrites';

export interface ReportLimits {
  /** Of all its queries together. */
  readonly seconds: number;
  /** Of each query. */
  readonly bytes: number;
  readonly threads: number;
}

/** A question of a report, under the name of its file. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** A report asked for more than its budget of time or memory. */
export class OverBudgetError extends Error {
  constructor(readonly of: 'time' | 'memory') {
    super(`The report is over its budget of ${of}`);
  }
}

/** What the codes of ClickHouse say there is too little of. */
const OVER_BUDGET: Readonly<Record<string, OverBudgetError['of']>> = { 159: 'time', 160: 'time', 241: 'memory' };

/** What ClickHouse had too little of; undefined for any other error. */
export const lackOf = (error: unknown): OverBudgetError['of'] | undefined =>
  error instanceof ClickHouseError ? OVER_BUDGET[error.code] : undefined;

/** Asks one question after another until the time of the report is up; ClickHouse itself ends what would go beyond. */
export class QueryBudget {
  private readonly end: number;
  /** How long each statement took that was answered, or refused, in milliseconds. */
  readonly asked: { readonly name: string; readonly ms: number }[] = [];

  constructor(
    private readonly clickhouse: ClickHouse,
    private readonly limits: ReportLimits,
  ) {
    this.end = performance.now() + limits.seconds * 1000;
  }

  /** @throws OverBudgetError, or UnavailableError where ClickHouse does not answer. */
  async rows<T extends Row>({ name, text }: Statement, params: Readonly<Record<string, unknown>>): Promise<T[]> {
    const started = performance.now();
    const seconds = Math.ceil((this.end - started) / 1000);
    if (seconds <= 0) throw new OverBudgetError('time');
    try {
      return await this.clickhouse.rows<T>(text, params, {
        ...WITHOUT_REWRITES,
        max_execution_time: seconds,
        max_memory_usage: String(this.limits.bytes),
        max_threads: this.limits.threads,
      });
    } catch (error) {
      const lack = lackOf(error);
      throw lack ? new OverBudgetError(lack) : error;
    } finally {
      this.asked.push({ name, ms: performance.now() - started });
    }
  }
}
