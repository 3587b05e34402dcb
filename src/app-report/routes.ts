/** `GET /api/v1/reporting/campaigns` (spec.md, endpoint 7). */
import Router from '@koa/router';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { callerOf, notSuspended, serverKey } from '../http/auth';
import { chargedReport } from '../http/limits';
import type { Directory } from '../projects/directory';
import { faults } from './faults';
import { readReportInput } from './input';
import { OverBudgetError } from './queries';
import { appReport, type ReportOptions } from './service';
import { BusyError, Turns } from './turns';

export interface AppReportOptions extends ReportOptions {
  readonly directory: Directory;
  readonly limiter: RateLimiterAbstract | undefined;
}

/** So many reports wait for the one that is being computed. */
const MAX_WAITING = 20;

/** In order: the key, billing, the parameters, the minute of the key, then the work, one report at a time. */
export function appReportRoutes({ directory, limiter, ...options }: AppReportOptions): Router {
  const router = new Router({ prefix: '/api/v1' });
  const turns = new Turns(MAX_WAITING);
  router.get('/reporting/campaigns', serverKey(directory, { missing: 'Unauthorized access.', invalid: 'Unauthorized access.' }), notSuspended, async (ctx) => {
    const { project, key } = callerOf(ctx);
    const input = readReportInput(ctx.URL.searchParams);
    const data = await chargedReport(limiter, key, () => turns.take(() => appReport(options, project.id, input))).catch((error: unknown) => {
      if (error instanceof OverBudgetError) throw faults.tooBig();
      if (error instanceof BusyError) throw faults.busy();
      throw error;
    });
    ctx.body = { msg: `${data.campaigns.length} campaigns retrieved, page ${data.pagination.page} of ${data.pagination.pages}.`, status: 200, data };
  });
  return router;
}
