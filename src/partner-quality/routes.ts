/** `GET /api/v1/partner-quality` (docs/contract/partners.md). */
import type Router from '@koa/router';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { type Access, caller, readCaller, requireActiveBilling } from '../http/auth';
import { withRateLimit } from '../http/limits';
import { createRouter } from '../http/router';
import { readQueryString } from '../http/target';
import type { ReportRunner } from '../reporting/report-runner';
import { readQualityInput } from './input';
import { presentQuality } from './presenter';
import { prepare, quality, type QualityOptions } from './service';

export interface QualityRouteOptions extends QualityOptions {
  readonly access: Access;
  readonly reports: ReportRunner;
  readonly limiter: RateLimiterAbstract | undefined;
}

/** In order: the key, billing, the parameters, the limit of the key, then the work, one question at a time. */
export function partnerQualityRoutes({ access, reports, limiter, ...options }: QualityRouteOptions): Router {
  const router = createRouter('/api/v1');
  router.get('/partner-quality', caller(access, 'reports'), requireActiveBilling, async (ctx) => {
    const { project, key } = readCaller(ctx);
    const input = readQualityInput(readQueryString(ctx));
    ctx.body = await withRateLimit(limiter, key, async () => {
      const prepared = await prepare(options, project.id, input);
      return presentQuality(
        input,
        await reports.compute('partner-quality', (budget) => quality(budget, prepared, project.id, input)),
      );
    });
  });
  return router;
}
