/** Decisions that an earlier version made lack the country of their install. */
import type { ClickHouse } from '../../db/clickhouse';
import { DAY_MS } from '../../lib/time';
import { command, query } from '../queries';
import type { TakeUpSome } from '../upgrades';

/** Decisions that one run takes up: less than a second of work. */
const INSTALLS_PER_RUN = 20_000;
/** So long an earlier version may have been deciding beside this one before this process started. */
const BESIDE_MS = 2 * DAY_MS;

const selectFormer = command('install-countries.select-former');
const readLast = query<{ project_id: number; install_id: string }>('install-countries.last');
const fill = command('install-countries.fill');

/** Once all decisions are done, a process looks again as it starts at those of the last days. */
export function fillInstallCountries(clickhouse: ClickHouse, startedAt: number): TakeUpSome {
  /** After the last install that is done. */
  let after = { project_id: 0, install_id: '' };
  return async ({ version, wasDone }) => {
    const since = wasDone ? startedAt - BESIDE_MS : 0;
    await selectFormer(clickhouse, { run_id: version, installs: INSTALLS_PER_RUN, since, ...after });
    const [last] = await readLast(clickhouse, { run_id: version });
    if (!last) return false;
    await fill(clickhouse, { run_id: version });
    after = last;
    return true;
  };
}
