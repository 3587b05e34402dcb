/** `PUT /collect/v1/spend`: what advertisers spent, by day (docs/contract.md, Collectors). */
import Router from '@koa/router';
import type { ClickHouse } from '../db/clickhouse';
import type { Postgres } from '../db/postgres';
import { callerOf, serverKey } from '../http/auth';
import { jsonBody, textBody } from '../http/body';
import type { ConfigSnapshot } from '../configuration/config-snapshot';
import { readBatch } from '../batch';
import { readCsv, SPEND_LIMITS } from './spend-input';
import { storeSpend } from './spend-service';

export interface SpendOptions {
  readonly postgres: Postgres;
  readonly clickhouse: ClickHouse;
  readonly snapshot: ConfigSnapshot;
  readonly now: () => number;
}

const BODY_LIMIT = '32mb';
/** 10,000 rows of 50 fields. */
const MAX_VALUES = 500_000;

/** In order: the key, the body, then the rows, each checked by itself. */
export function spendRoutes({ postgres, clickhouse, snapshot, now }: SpendOptions): Router {
  const router = new Router({ prefix: '/collect/v1' });
  const json = jsonBody(BODY_LIMIT, { anyText: true, maxValues: MAX_VALUES });
  const csv = textBody(BODY_LIMIT);
  router.put(
    '/spend',
    serverKey(snapshot, { missing: 'Unauthorized access.', invalid: 'Unauthorized access.' }),
    async (ctx) => {
      const isCsv = ctx.is('text/csv') !== false;
      await (isCsv ? csv : json)(ctx, async () => {
        const rows = isCsv ? await readCsv(ctx.request.body as string) : readBatch(ctx.request.body, SPEND_LIMITS);
        ctx.body = await storeSpend({ postgres, clickhouse }, callerOf(ctx).project.id, rows, now());
      });
    },
  );
  return router;
}
