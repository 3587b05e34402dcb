/** SQL of people, over the rows of their project, and the statements that they keep (docs/contract/sql.md). */
import { Readable } from 'node:stream';
import type Router from '@koa/router';
import type { Context } from 'koa';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import type { Postgres } from '../db/postgres';
import { ApiError } from '../errors';
import { FORMATS } from '../files/formats';
import { type Access, caller, readCaller, requireActiveBilling } from '../http/auth';
import { jsonBody } from '../http/body';
import { sendFile } from '../http/files';
import { readId } from '../http/ids';
import { withRateLimit } from '../http/limits';
import { createRouter } from '../http/router';
import { readQueryString } from '../http/target';
import { readFlag } from '../lib/parameters';
import { readFormat, readSaved, readStatement } from './input';
import { columnsOfFile, presentSaved, presentSchema } from './presenter';
import { readColumns } from './queries';
import * as saved from './saved';
import { runStatement, type ConsoleOptions } from './service';

export interface SqlRoutesOptions extends ConsoleOptions {
  readonly postgres: Postgres;
  readonly access: Access;
  readonly limiter: RateLimiterAbstract | undefined;
}

/** Enough for what the page sends: a statement is at most 100,000 characters. */
const MAX_BODY = '500kb';

/** In order: the key, billing, the body, the limit of the key, then the work. */
export function sqlRoutes({ postgres, access, limiter, ...options }: SqlRoutesOptions): Router {
  const router = createRouter('/api/v1');
  const key = caller(access, 'sql');
  const body = jsonBody(MAX_BODY);
  const limited = <T>(ctx: Context, work: (projectId: number) => Promise<T>) =>
    withRateLimit(limiter, readCaller(ctx).key, () => work(readCaller(ctx).project.id));

  router.post('/sql', key, requireActiveBilling, body, async (ctx) => {
    const isFile = readFormat(readQueryString(ctx)) === 'csv';
    const bom = readFlag(readQueryString(ctx), 'bom');
    const statement = readStatement(ctx.request.body, isFile);
    const result = await limited(ctx, (projectId) => runStatement(options, projectId, statement));
    if (!isFile) {
      ctx.body = result;
      return;
    }
    const file = FORMATS.csv.encode(columnsOfFile(result), Readable.from(result.rows), { bom });
    sendFile(ctx, 'result', 'csv', file, null);
  });
  router.get('/schema', key, requireActiveBilling, async (ctx) => {
    ctx.body = presentSchema(await limited(ctx, () => readColumns(options.clickhouse)));
  });

  router.get('/saved-queries', key, requireActiveBilling, async (ctx) => {
    const rows = await limited(ctx, (projectId) => saved.listSaved(postgres, projectId));
    ctx.body = { saved_queries: rows.map(presentSaved) };
  });
  router.post('/saved-queries', key, requireActiveBilling, body, async (ctx) => {
    const wanted = readSaved(ctx.request.body);
    const row = await limited(ctx, (projectId) =>
      saved.createSaved(postgres, projectId, wanted, readCaller(ctx).actor.name),
    );
    ctx.body = presentSaved(row);
    ctx.status = 201;
  });
  router.put('/saved-queries/:id', key, requireActiveBilling, body, async (ctx) => {
    const id = readId(ctx.params.id, 'Saved query');
    const wanted = readSaved(ctx.request.body);
    ctx.body = presentSaved(await limited(ctx, (projectId) => saved.changeSaved(postgres, projectId, id, wanted)));
  });
  router.delete('/saved-queries/:id', key, requireActiveBilling, async (ctx) => {
    const id = readId(ctx.params.id, 'Saved query');
    if (!(await limited(ctx, (projectId) => saved.deleteSaved(postgres, projectId, id))))
      throw new ApiError(404, 'Saved query not found.');
    ctx.status = 204;
  });
  return router;
}
