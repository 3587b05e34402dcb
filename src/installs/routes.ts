/** `GET /api/v1/installs`: single installs, the latest first, and the events of one (docs/contract/attribution.md). */
import type Router from '@koa/router';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { type Access, caller, readCaller, requireActiveBilling } from '../http/auth';
import { withRateLimit } from '../http/limits';
import { createRouter } from '../http/router';
import { readQueryString } from '../http/target';
import { readEventLimit, readListInput } from './input';
import { listEvents, listInstalls, type Engines } from './service';

export interface InstallsOptions extends Engines {
  readonly limiter: RateLimiterAbstract | undefined;
  readonly access: Access;
}

/** In order: the key, billing, the parameters, the limit of the key, then the work. */
export function installRoutes({ access, limiter, ...engines }: InstallsOptions): Router {
  const router = createRouter('/api/v1');
  const reader = caller(access, 'installs');
  router.get('/installs', reader, requireActiveBilling, async (ctx) => {
    const { project, key } = readCaller(ctx);
    const input = readListInput(readQueryString(ctx));
    ctx.body = await withRateLimit(limiter, key, () => listInstalls(engines, access.snapshot, project.id, input));
  });
  router.get('/installs/:install_id/events', reader, requireActiveBilling, async (ctx) => {
    const { project, key } = readCaller(ctx);
    const limit = readEventLimit(readQueryString(ctx));
    const install = ctx.params.install_id as string;
    ctx.body = await withRateLimit(limiter, key, () => listEvents(engines, project.id, install, limit));
  });
  return router;
}
