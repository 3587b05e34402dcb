/** adtrail.installs_by_identifier: which installs have which device and user, by every event that named one. */
import type { ClickHouse } from '../../db/clickhouse';
import { AppEventSweep } from '../../ingest/sweep';
import { fillInStretches } from '../fill';
import type { Materialization } from '../materialization';
import { command } from '../queries';
import { DERIVATIONS } from '../../tables/derivations';

const fill = command('installs-by-identifier.fill');

/** Repeats of events are hidden first: an event counts once, whatever install its repeat names. */
export function createInstallsByIdentifier(clickhouse: ClickHouse): Materialization {
  const events = new AppEventSweep(clickhouse);
  return {
    name: 'installs-by-identifier',
    ...DERIVATIONS['installs-by-identifier'],
    async run(context) {
      const { changes } = context;
      await events.sweep(changes.of('app_events').since, changes.until);
      await fillInStretches(context, ['app_events'], (_, range) => fill(clickhouse, range));
      return 'done';
    },
  };
}
