/** `/collect/v1/spend`: what advertisers spent, by day (docs/contract.md, Collectors). */
import Router from '@koa/router';
import type { ClickHouse } from '../db/clickhouse';
import type { Postgres } from '../db/postgres';
import { type Access, caller, callerOf } from '../http/auth';
import { jsonBody, textBody } from '../http/body';
import { readBatch } from '../batch';
import { queryOf } from '../http/target';
import { readFlag } from '../parameters';
import { readCsv, readCsvLines, SPEND_LIMITS } from './spend-input';
import { presentUpload } from './spend-presenter';
import { checkSpend, storeSpend } from './spend-service';

export interface SpendOptions {
  readonly postgres: Postgres;
  readonly clickhouse: ClickHouse;
  readonly access: Access;
  readonly now: () => number;
}

const BODY_LIMIT = '32mb';
/** 10,000 rows of 50 fields. */
const MAX_VALUES = 500_000;

/** In order: the key, the body, then the rows, each checked by itself. */
export function spendRoutes({ postgres, clickhouse, access, now }: SpendOptions): Router {
  const router = new Router({ prefix: '/collect/v1' });
  const json = jsonBody(BODY_LIMIT, { anyText: true, maxValues: MAX_VALUES });
  const csv = textBody(BODY_LIMIT);
  const key = caller(access, 'spend');
  router.post('/spend/csv', key, csv, async (ctx) => {
    const isDry = readFlag(queryOf(ctx), 'dry_run') ?? false;
    const { rows, lines } = await readCsvLines(ctx.request.body as string);
    const { id } = callerOf(ctx).project;
    const answer = isDry
      ? await checkSpend(postgres, id, rows)
      : await storeSpend({ postgres, clickhouse }, id, rows, now());
    ctx.body = presentUpload(answer, lines, isDry);
  });
  router.put('/spend', key, async (ctx) => {
    const isCsv = ctx.is('text/csv') !== false;
    await (isCsv ? csv : json)(ctx, async () => {
      const rows = isCsv ? await readCsv(ctx.request.body as string) : readBatch(ctx.request.body, SPEND_LIMITS);
      ctx.body = await storeSpend({ postgres, clickhouse }, callerOf(ctx).project.id, rows, now());
    });
  });
  return router;
}
