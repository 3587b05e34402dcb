/** adtrail.records_by_install: the events and the decision of each install in one place, for its journeys. */
import type { ClickHouse } from '../../db/clickhouse';
import { fillInStretches } from '../fill';
import type { Materialization } from '../materialization';
import { command } from '../queries';
import { DERIVATIONS } from '../../tables/derivations';

const fill = {
  app_events: command('install-records.fill-app-events'),
  installs: command('install-records.fill-installs'),
};

export const createInstallRecords = (clickhouse: ClickHouse): Materialization => ({
  name: 'install-records',
  ...DERIVATIONS['install-records'],
  async run(context) {
    await fillInStretches(context, DERIVATIONS['install-records'].sources, (table, range) =>
      fill[table](clickhouse, range),
    );
    return 'done';
  },
});
