/** adtrail.installs_by_identifier: which installs have which device and user, by every event that named one. */
import { LOCKS } from '../../db/advisory-lock';
import type { ClickHouse } from '../../db/clickhouse';
import { APP_EVENTS } from '../../ingest/deduplicator';
import { sweepEvents } from '../../ingest/sweep';
import { fillInStretches } from '../fill';
import type { Materialization } from '../materialization';
import { command } from '../queries';

const fill = command('installs-by-identifier.fill');

/** Repeats of events are hidden first: an event counts once, whatever install its repeat names. */
export const createInstallsByIdentifier = (clickhouse: ClickHouse): Materialization => ({
  name: 'installs-by-identifier',
  lock: LOCKS.installsByIdentifier,
  sources: ['app_events'],
  async run(context) {
    await sweepEvents(clickhouse, APP_EVENTS, context.changes.of('app_events').since);
    await fillInStretches(context, ['app_events'], (_, range) => fill(clickhouse, range));
    return 'done';
  },
});
