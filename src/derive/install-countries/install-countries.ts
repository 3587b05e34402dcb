/**
 * Decisions that an earlier version made lack the country of their install: they get it a bounded number at a time, so
 * that what is new is decided in between.
 */
import type { ClickHouse } from '../../db/clickhouse';
import { postgresQuery } from '../../db/sql';
import { DAY_MS } from '../../lib/time';
import { DERIVATIONS } from '../../tables/derivations';
import type { Materialization } from '../materialization';
import { command, query } from '../queries';

const NAME = 'install-countries';
/** All decisions have a country where it is known. */
const LAYOUT = 1;
/** Decisions that one run takes up: less than a second of work. */
const INSTALLS_PER_RUN = 20_000;
/** So long an earlier version may have been deciding beside this one before this process started. */
const BESIDE_MS = 2 * DAY_MS;

const readLayout = postgresQuery<{ layout: number }>('derive.read-layout');
const putLayout = postgresQuery('derive.put-layout');
const selectFormer = command('install-countries.select-former');
const readLast = query<{ project_id: number; install_id: string }>('install-countries.last');
const fill = command('install-countries.fill');

/** Once all decisions are done, a process looks again as it starts at those of the last days. */
export function createInstallCountries(clickhouse: ClickHouse, now: () => number): Materialization {
  const startedAt = now();
  let isFilled = false;
  /** After the last install that is done. From a restart on it is looked from the first one again. */
  let after = { project_id: 0, install_id: '' };
  return {
    name: NAME,
    ...DERIVATIONS[NAME],
    isStale: () => Promise.resolve(!isFilled),
    async run({ db, version }) {
      if (isFilled) return 'done';
      const layout = (await readLayout(db, NAME))[0]?.layout ?? 0;
      const since = layout >= LAYOUT ? startedAt - BESIDE_MS : 0;
      await selectFormer(clickhouse, { run_id: version, installs: INSTALLS_PER_RUN, since, ...after });
      const [last] = await readLast(clickhouse, { run_id: version });
      if (last) {
        await fill(clickhouse, { run_id: version });
        after = last;
        return 'more';
      }
      await putLayout(db, NAME, LAYOUT);
      isFilled = true;
      return 'done';
    },
  };
}
