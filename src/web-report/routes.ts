/** Web campaign reporting over HTTP (docs/contract/web-report.md). */
import type Router from '@koa/router';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { type Access, caller, readCaller, requireActiveBilling, requireFeature } from '../http/auth';
import { withReportLimit } from '../http/limits';
import { createRouter } from '../http/router';
import { readQueryString } from '../http/target';
import { readReportInput } from './input';
import { webReport, type ReportOptions } from './service';

export interface WebReportOptions extends ReportOptions {
  readonly access: Access;
  /** The limit by key, which counts this report alone. */
  readonly limiter: RateLimiterAbstract | undefined;
  readonly now: () => number;
}

/**
 * In order: the key, billing, the project's switch, the parameters, the limit of the key, then the work
 * (docs/contract/main-api.md).
 */
export function webReportRoutes({ access, limiter, now, ...options }: WebReportOptions): Router {
  const router = createRouter('/api/v1');
  const reader = caller(access, 'reports');
  const enabled = requireFeature((project) => project.webCampaigns, 'Web campaigns are not enabled for this project.');

  router.get('/reporting/web-campaigns', reader, requireActiveBilling, enabled, async (ctx) => {
    const { project, key } = readCaller(ctx);
    const input = readReportInput(readQueryString(ctx), project.createdAt, now());
    const data = await withReportLimit(limiter, key, () => webReport(options, project, input));
    const { total, page, pages } = data.pagination;
    ctx.body = { msg: `${total} rows found, page ${page} of ${pages}.`, status: 200, data };
  });
  return router;
}
