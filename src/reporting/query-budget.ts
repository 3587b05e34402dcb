/** What one report may take of ClickHouse. */
import type { ClickHouse } from '../db/clickhouse';
import type { Row } from '../db/postgres';
import { readErrorName, type ErrorName } from '../lib/clickhouse-codes';

export interface ReportLimits {
  /** For all its queries together. */
  readonly seconds: number;
  /** For each query. */
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

/** What a report joins may be long: it is put into the table of a join by all threads together. */
const JOINS = { join_algorithm: 'direct,parallel_hash,hash' } as const;

/** What there is too little of, by the errors of ClickHouse. */
const OVER_BUDGET: Readonly<Partial<Record<ErrorName, OverBudgetError['of']>>> = {
  TIMEOUT_EXCEEDED: 'time',
  TOO_SLOW: 'time',
  MEMORY_LIMIT_EXCEEDED: 'memory',
};

/** What ClickHouse had too little of; undefined for any other error. */
export function findLack(error: unknown): OverBudgetError['of'] | undefined {
  const name = readErrorName(error);
  return name && OVER_BUDGET[name];
}

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
        ...JOINS,
        max_execution_time: seconds,
        max_memory_usage: String(this.limits.bytes),
        max_threads: this.limits.threads,
      });
    } catch (error) {
      const lack = findLack(error);
      throw lack ? new OverBudgetError(lack) : error;
    } finally {
      this.asked.push({ name, ms: performance.now() - started });
    }
  }
}
