/** `POST /api/v1/reporting/query` and `GET /api/v1/reporting/values`, `/model` (docs/contract/queries.md). */
import type Router from '@koa/router';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { type Access, caller, readCaller, requireActiveBilling } from '../http/auth';
import { jsonBody } from '../http/body';
import { chooseFormat, sendFile } from '../http/files';
import { withRateLimit } from '../http/limits';
import type { ExportRunner } from '../files/export-runner';
import { requestIdIn } from '../http/request-id';
import { createRouter } from '../http/router';
import { readQueryString } from '../http/target';
import { readFlag } from '../lib/parameters';
import type { ReportRunner } from '../reporting/report-runner';
import { queryFile } from './file';
import { readQueryInput } from './input';
import { described } from './model';
import { answer, prepare, type QueryOptions } from './service';
import { readValuesInput, listValues } from './values';

export interface QueryRouteOptions extends QueryOptions {
  readonly access: Access;
  readonly reports: ReportRunner;
  readonly files: ExportRunner;
  readonly limiter: RateLimiterAbstract | undefined;
}

/** Large enough for the most values that filters may have. */
const MAX_BODY = '1mb';

/** In order: the key, billing, the body, the limit of the key, then the work, one question at a time. */
export function queryRoutes({ access, reports, files, limiter, ...options }: QueryRouteOptions): Router {
  const router = createRouter('/api/v1');
  router.post(
    '/reporting/query',
    caller(access, 'reports'),
    requireActiveBilling,
    jsonBody(MAX_BODY, { maxValues: 25_000 }),
    async (ctx) => {
      const { project, key } = readCaller(ctx);
      const query = readQueryInput(ctx.request.body);
      const format = chooseFormat(ctx, readQueryString(ctx));
      const bom = readFlag(readQueryString(ctx), 'bom');
      if (format) {
        const name = `query-${query.from}-${query.to}`;
        const { stream, completeUntil } = await withRateLimit(limiter, key, async () => {
          const prepared = await prepare(options, project.id, query.source);
          const opened = await files.open({ kind: 'query', name, requestId: requestIdIn(ctx.res) }, () =>
            queryFile(prepared.about, files, query, format, { bom }),
          );
          return { stream: opened, completeUntil: prepared.completeUntil };
        });
        sendFile(ctx, name, format, stream, completeUntil);
        return;
      }
      ctx.body = await withRateLimit(limiter, key, async () => {
        const prepared = await prepare(options, project.id, query.source);
        return reports.compute('query', (budget) => answer(budget, prepared, query));
      });
    },
  );
  router.get('/reporting/values', caller(access, 'reports'), requireActiveBilling, async (ctx) => {
    const { project, key } = readCaller(ctx);
    const input = readValuesInput(readQueryString(ctx));
    ctx.body = await withRateLimit(limiter, key, async () => {
      const { about } = await prepare(options, project.id, input.source);
      return reports.compute('values', (budget) => listValues(budget, about, input));
    });
  });
  router.get('/reporting/model', caller(access, 'reports'), (ctx) => {
    ctx.body = described;
  });
  return router;
}
