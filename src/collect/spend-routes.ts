/** `/collect/v1/spend`: what advertisers spent, by day (docs/contract/collectors.md). */
import type Router from '@koa/router';
import type { ClickHouse } from '../db/clickhouse';
import type { Postgres } from '../db/postgres';
import { type Access, caller, readCaller } from '../http/auth';
import { jsonBody, textBody } from '../http/body';
import { createRouter } from '../http/router';
import { readBatch } from '../ingest/batch';
import { readQueryString } from '../http/target';
import { readFlag } from '../lib/parameters';
import { readSpendFile, SPEND_LIMITS } from './spend-input';
import { presentUpload } from './spend-presenter';
import { checkSpend, storeSpend } from './spend-service';

export interface SpendOptions {
  readonly postgres: Postgres;
  readonly clickhouse: ClickHouse;
  readonly access: Access;
  readonly now: () => number;
}

const BODY_LIMIT = '32mb';
/** Types under which files of CSV are sent. */
const FILE_TYPES = /^\s*(?:text\/(?:csv|tab-separated-values)|application\/(?:csv|vnd\.ms-excel))\s*(?:;|$)/i;
/** 10,000 rows of 50 fields. */
const MAX_VALUES = 500_000;

/** In order: the key, the body, then the rows, each checked separately. */
export function spendRoutes({ postgres, clickhouse, access, now }: SpendOptions): Router {
  const router = createRouter('/collect/v1');
  const json = jsonBody(BODY_LIMIT, { anyText: true, maxValues: MAX_VALUES });
  const csv = textBody(BODY_LIMIT);
  const key = caller(access, 'spend');
  router.post('/spend/csv', key, csv, async (ctx) => {
    const isDry = readFlag(readQueryString(ctx), 'dry_run') ?? false;
    const file = await readSpendFile(ctx.request.body as string);
    const { id } = readCaller(ctx).project;
    const answer = isDry
      ? await checkSpend(postgres, id, file)
      : await storeSpend({ postgres, clickhouse }, id, file, now());
    ctx.body = presentUpload(answer, file.lines, isDry);
  });
  router.put('/spend', key, async (ctx) => {
    const isFile = FILE_TYPES.test(ctx.get('Content-Type'));
    await (isFile ? csv : json)(ctx, async () => {
      const { body } = ctx.request;
      const sent = isFile ? await readSpendFile(body as string) : { rows: readBatch(body, SPEND_LIMITS) };
      ctx.body = await storeSpend({ postgres, clickhouse }, readCaller(ctx).project.id, sent, now());
    });
  });
  return router;
}
