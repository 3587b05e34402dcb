/** adtrail.identities: which installs have which device and user, by every event that named one. */
import { LOCKS } from '../../db/advisory-lock';
import type { ClickHouse } from '../../db/clickhouse';
import { APP_EVENTS } from '../../ingest/deduplicator';
import { sweepEvents } from '../../ingest/sweep';
import { fillInChunks } from '../fill';
import type { Materialization } from '../materialization';
import { command } from '../queries';

const fill = command('identities.fill');

/** Repeats of events are hidden first: an event counts once, whatever install its repeat names. */
export const createIdentities = (clickhouse: ClickHouse): Materialization => ({
  name: 'identities',
  lock: LOCKS.identities,
  sources: ['app_events'],
  async run({ changes }) {
    const events = changes.of('app_events');
    await sweepEvents(clickhouse, APP_EVENTS, events.since);
    await fillInChunks(events, (range) => fill(clickhouse, range));
    return 'done';
  },
});
