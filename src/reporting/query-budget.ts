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

/**
 * Rewrites of expressions that find nothing to mend in the statements of reports, each a walk through all of one:
 * without them ClickHouse plans a query in about 0.8 of the time (docs/benchmarks.md, Dashboard). None of them is about
 * which rows are read.
 */
const WITHOUT_REWRITES = {
  optimize_and_compare_chain: 0,
  optimize_arithmetic_operations_in_aggregate_functions: 0,
  optimize_empty_string_comparisons: 0,
  optimize_extract_common_expressions: 0,
  optimize_injective_functions_inside_uniq: 0,
  optimize_multiif_to_if: 0,
  optimize_normalize_count_variants: 0,
  optimize_or_like_chain: 0,
  optimize_redundant_functions_in_order_by: 0,
  optimize_rewrite_aggregate_function_with_if: 0,
  optimize_rewrite_array_exists_to_has: 0,
  optimize_rewrite_sum_if_to_count_if: 0,
  optimize_syntax_fuse_functions: 0,
  optimize_uniq_to_count: 0,
} as const;

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
        ...WITHOUT_REWRITES,
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
