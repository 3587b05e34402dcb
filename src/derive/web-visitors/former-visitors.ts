/**
 * Visitors that an earlier version derived lack what queries read: they are derived anew. Until the last of them is
 * done, queries of web visits are 503.
 */
import type { ClickHouse } from '../../db/clickhouse';
import { deriveInChunks } from '../chunks';
import type { Quarantine } from '../quarantine';
import type { TakeUpSome } from '../upgrades';
import * as queries from './queries';

/** Visitors that one run takes up: a second of work. */
const VISITORS_PER_RUN = 20_000;

export function deriveFormerVisitors(clickhouse: ClickHouse, quarantine: Quarantine): TakeUpSome {
  /** After the last visitor that is done. */
  let after = { project_id: 0, visitor_id: '' };
  return async ({ db, version, wasDone }) => {
    if (wasDone) return false;
    await queries.selectFormer(clickhouse, { run_id: version, visitors: VISITORS_PER_RUN, ...after });
    const [last] = await queries.readLastVisitor(clickhouse, { run_id: version });
    if (!last) return false;
    const pause_times = (await queries.readPauseTimes(db)).map((row) => row.ms);
    await deriveInChunks(clickhouse, 'web-visitors', version, queries, quarantine, (chunk) =>
      queries.deriveVisitors(clickhouse, { ...chunk, pause_times }),
    );
    after = last;
    return true;
  };
}
