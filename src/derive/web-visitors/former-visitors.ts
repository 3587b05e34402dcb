/**
 * Visitors that an earlier version derived lack what queries read: they are derived anew, a bounded number at a time,
 * so that what is new is derived in between. Until the last of them is done, queries of web visits are 503.
 */
import type { ClickHouse } from '../../db/clickhouse';
import { deriveInChunks } from '../chunks';
import type { Materialization } from '../materialization';
import type { Quarantine } from '../quarantine';
import * as queries from './queries';
import { DERIVATIONS } from '../../tables/derivations';

const NAME = 'former-web-visitors';
/** A row of adtrail.web_visitors has hits. */
const LAYOUT = 1;
/** Visitors that one run takes up: a second of work. */
const VISITORS_PER_RUN = 20_000;

export function createFormerVisitors(clickhouse: ClickHouse, quarantine: Quarantine): Materialization {
  let isFilled = false;
  /** After the last visitor that is done. From a restart on it is looked from the first one again. */
  let after = { project_id: 0, visitor_id: '' };
  return {
    name: NAME,
    ...DERIVATIONS['former-web-visitors'],
    async isStale(db) {
      if (!isFilled) isFilled = ((await queries.readLayout(db, NAME))[0]?.layout ?? 0) >= LAYOUT;
      return !isFilled;
    },
    async run({ db, version }) {
      if (isFilled) return 'done';
      await queries.selectFormer(clickhouse, { run_id: version, visitors: VISITORS_PER_RUN, ...after });
      const [last] = await queries.readLastVisitor(clickhouse, { run_id: version });
      if (!last) {
        await queries.putLayout(db, NAME, LAYOUT);
        isFilled = true;
        return 'done';
      }
      const pause_times = (await queries.readPauseTimes(db)).map((row) => row.ms);
      await deriveInChunks(clickhouse, 'web-visitors', version, queries, quarantine, (chunk) =>
        queries.deriveVisitors(clickhouse, { ...chunk, pause_times }),
      );
      after = last;
      return 'more';
    },
  };
}
