/** `GET /api/v1/reporting/campaigns` (docs/contract/app-report.md). */
import type Router from '@koa/router';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { type Access, caller, readCaller, requireActiveBilling } from '../http/auth';
import { withReportLimit } from '../http/limits';
import { createRouter } from '../http/router';
import { readQueryString } from '../http/target';
import type { ReportRunner } from '../reporting/report-runner';
import { readReportInput } from './input';
import { appReport, type ReportOptions } from './service';

export interface AppReportOptions extends ReportOptions {
  readonly access: Access;
  readonly reports: ReportRunner;
  readonly limiter: RateLimiterAbstract | undefined;
}

/** In order: the key, billing, the parameters, the minute of the key, then the work, one report at a time. */
export function appReportRoutes({ access, reports, limiter, ...options }: AppReportOptions): Router {
  const router = createRouter('/api/v1');
  router.get('/reporting/campaigns', caller(access, 'reports'), requireActiveBilling, async (ctx) => {
    const { project, key } = readCaller(ctx);
    const input = readReportInput(readQueryString(ctx));
    const data = await withReportLimit(limiter, key, () =>
      reports.compute('app-report', (budget) => appReport(options, budget, project.id, input)),
    );
    ctx.body = {
      msg: `${data.campaigns.length} campaigns retrieved, page ${data.pagination.page} of ${data.pagination.pages}.`,
      status: 200,
      data,
    };
  });
  return router;
}
