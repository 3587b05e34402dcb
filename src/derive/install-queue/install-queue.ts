/**
 * adtrail.install_queue: the install events that attribution takes up. A view of ClickHouse puts them there as they are
 * stored; what it missed is found here, because an insert into two tables can end between them.
 */
import type { ClickHouse } from '../../db/clickhouse';
import { fillInStretches } from '../fill';
import type { Materialization } from '../materialization';
import { command } from '../queries';
import { DERIVATIONS } from '../../tables/derivations';

const findMissed = command('install-queue.find-missed');

export const createInstallQueue = (clickhouse: ClickHouse): Materialization => ({
  name: 'install-queue',
  ...DERIVATIONS['install-queue'],
  async run(context) {
    await fillInStretches(context, ['app_events'], (_, range) => findMissed(clickhouse, range));
    return 'done';
  },
});
