/** adtrail.records_by_install: the events and the decision of each install in one place, for its journeys. */
import { LOCKS } from '../../db/advisory-lock';
import type { ClickHouse } from '../../db/clickhouse';
import { fillInStretches } from '../fill';
import type { FactTable } from '../fact-tables';
import type { Materialization } from '../materialization';
import { command } from '../queries';

const SOURCES = ['app_events', 'installs'] as const satisfies FactTable[];
const fill = {
  app_events: command('install-records.fill-app-events'),
  installs: command('install-records.fill-installs'),
};

export const createInstallRecords = (clickhouse: ClickHouse): Materialization => ({
  name: 'install-records',
  lock: LOCKS.recordsByInstall,
  sources: SOURCES,
  async run(context) {
    await fillInStretches(context, SOURCES, (table, range) => fill[table](clickhouse, range));
    return 'done';
  },
});
