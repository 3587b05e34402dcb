/** The attribution endpoints over HTTP (docs/contract/attribution.md), and why an install was credited as it was. */
import type Router from '@koa/router';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { type Access, caller, readCaller, requireActiveBilling } from '../http/auth';
import type { Administrators } from '../http/administrators';
import { withRateLimit } from '../http/limits';
import { readId } from '../http/ids';
import { createRouter } from '../http/router';
import { readQueryString } from '../http/target';
import { readResultInput, readUsersInput } from './input';
import { explainInstall, findAttribution, listAttributedUsers, type Engines } from './service';

export interface AttributionRoutesOptions extends Engines {
  readonly access: Access;
  /** The limit of data endpoints, by key. */
  readonly data: RateLimiterAbstract | undefined;
}

/** In order: the key, the parameters, the limit of the key, then the work (docs/contract/main-api.md). */
export function attributionRoutes({ access, data, ...engines }: AttributionRoutesOptions): Router {
  const router = createRouter('/api/v1');
  router.get(
    '/attributed-users',
    caller(access, 'installs', { missing: 'Authentication failed.', invalid: 'Authentication failed.' }),
    async (ctx) => {
      const { project, key } = readCaller(ctx);
      const input = readUsersInput(readQueryString(ctx));
      const { users, pagination } = await withRateLimit(data, key, () =>
        listAttributedUsers(engines, access.snapshot, project, input),
      );
      const msg = `${users.length} attributed users retrieved, page ${pagination.page} of ${pagination.pages}.`;
      ctx.body = { msg, status: 200, data: { total_users: pagination.total, users, pagination } };
    },
  );
  router.get('/get-attribution-result', caller(access, 'installs'), async (ctx) => {
    const { project, key } = readCaller(ctx);
    const input = readResultInput(readQueryString(ctx));
    const result = await withRateLimit(data, key, () => findAttribution(engines, project, input));
    if (result) ctx.body = { msg: 'Attribution result retrieved.', status: 200, data: result };
    else ctx.status = 204;
  });
  router.get('/installs/:install_id/explanation', caller(access, 'installs'), requireActiveBilling, async (ctx) => {
    const { project, key } = readCaller(ctx);
    ctx.body = await withRateLimit(data, key, () =>
      explainInstall(engines, project.id, ctx.params.install_id as string),
    );
  });
  return router;
}

/** The administration routes of attribution. */
export function explainRoutes(engines: Engines, admins: Administrators): Router {
  const router = createRouter('/admin/v1');
  router.get('/projects/:id/installs/:install_id/explain', admins.project('installs'), async (ctx) => {
    ctx.body = await explainInstall(engines, readId(ctx.params.id, 'Project'), ctx.params.install_id as string);
  });
  return router;
}
