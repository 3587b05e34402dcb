/**
 * adtrail.touches_by_id and touches_by_identifier: every touch with what a decision needs of it, and where to find it
 * by the device IDs and the address that an install can share with it.
 */
import type { ClickHouse } from '../../db/clickhouse';
import { fillInStretches } from '../fill';
import type { Materialization } from '../materialization';
import { command } from '../queries';
import { DERIVATIONS } from '../../tables/derivations';

const statements = {
  clicks: [command('touches.fill-clicks'), command('touches.index-clicks')],
  impressions: [command('touches.fill-impressions'), command('touches.index-impressions')],
  ctv_impressions: [command('touches.fill-ctv-impressions'), command('touches.index-ctv-impressions')],
};

/** Nothing is decided by a stretch before it is taken in as a whole, so its statements need no order. */
export const createTouches = (clickhouse: ClickHouse): Materialization => ({
  name: 'touches',
  ...DERIVATIONS.touches,
  async run(context) {
    await fillInStretches(context, DERIVATIONS.touches.sources, async (table, range) => {
      await Promise.all(statements[table].map((run) => run(clickhouse, range)));
    });
    return 'done';
  },
});
