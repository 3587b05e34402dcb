/**
 * adtrail.touches_by_id and touches_by_identifier: every touch with what a decision needs of it, and where to find it
 * by the device IDs and the address that an install can share with it.
 */
import { LOCKS } from '../../db/advisory-lock';
import type { ClickHouse } from '../../db/clickhouse';
import { fillInStretches } from '../fill';
import type { FactTable } from '../fact-tables';
import type { Materialization } from '../materialization';
import { command } from '../queries';

const SOURCES = ['clicks', 'impressions', 'ctv_impressions'] as const satisfies FactTable[];
const statements = {
  clicks: [command('touches.fill-clicks'), command('touches.index-clicks')],
  impressions: [command('touches.fill-impressions'), command('touches.index-impressions')],
  ctv_impressions: [command('touches.fill-ctv-impressions'), command('touches.index-ctv-impressions')],
};

/** Nothing is decided by a stretch before it is taken in as a whole, so its statements need no order. */
export const createTouches = (clickhouse: ClickHouse): Materialization => ({
  name: 'touches',
  lock: LOCKS.touches,
  sources: SOURCES,
  async run(context) {
    await fillInStretches(context, SOURCES, async (table, range) => {
      await Promise.all(statements[table].map((run) => run(clickhouse, range)));
    });
    return 'done';
  },
});
