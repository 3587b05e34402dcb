/**
 * ClickHouse for questions about single records, such as one install or a page of a list. They take no turn among the
 * reports, since mostly they take milliseconds; what one of their statements may take is bounded all the same.
 */
import type { ClickHouse } from '../db/clickhouse';
import { ApiError } from '../errors';
import { findLack, type ReportLimits } from './query-budget';

export type Reads = Pick<ClickHouse, 'rows'>;

const tooMuch = () =>
  new ApiError(503, 'The answer takes more time or memory than it may. Please ask for less, or try again later.', {
    'Retry-After': '60',
  });

/** @throws ApiError 503 from a statement that would take more than the limits. */
export const boundedReads = (clickhouse: Reads, { seconds, bytes, threads }: ReportLimits): Reads => ({
  rows: async (sql, params) => {
    try {
      return await clickhouse.rows(sql, params, {
        max_execution_time: seconds,
        max_memory_usage: String(bytes),
        max_threads: threads,
      });
    } catch (error) {
      throw findLack(error) ? tooMuch() : error;
    }
  },
});
