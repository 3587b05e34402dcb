/**
 * adtrail.touch_keys and touch_versions: every touch by the device IDs and address that an install can share with it.
 */
import { LOCKS } from '../../db/advisory-lock';
import type { ClickHouse } from '../../db/clickhouse';
import { fillInChunks } from '../fill';
import type { Materialization } from '../materialization';
import { command } from '../queries';

const fillVersions = command('touch-index.fill-versions');
const SOURCES = [
  { table: 'clicks', id_column: 'click_id', fill: command('touch-index.fill-clicks') },
  { table: 'impressions', id_column: 'impression_id', fill: command('touch-index.fill-impressions') },
  { table: 'ctv_impressions', id_column: 'impression_id', fill: command('touch-index.fill-ctv-impressions') },
] as const;

/** Versions come first: a touch whose version is not known is never eligible. */
export const createTouchIndex = (clickhouse: ClickHouse): Materialization => ({
  name: 'touch-index',
  lock: LOCKS.attribution,
  sources: SOURCES.map(({ table }) => table),
  async run({ changes }) {
    for (const { table, id_column, fill } of SOURCES) {
      await fillInChunks(changes.of(table), async (range) => {
        await fillVersions(clickhouse, { ...range, table, id_column });
        await fill(clickhouse, range);
      });
    }
    return 'done';
  },
});
