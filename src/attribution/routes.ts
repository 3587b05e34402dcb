/** The attribution endpoints over HTTP (docs/contract.md, Attribution), and why an install was credited as it was. */
import Router from '@koa/router';
import type { Middleware } from 'koa';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { callerOf, serverKey } from '../http/auth';
import { withRateLimit } from '../http/limits';
import { idOf } from '../http/ids';
import { queryOf } from '../http/target';
import type { ConfigSnapshot } from '../configuration/config-snapshot';
import { readResultInput, readUsersInput } from './input';
import { explainInstall, findAttribution, listAttributedUsers, type Engines } from './service';

export interface AttributionRoutesOptions extends Engines {
  readonly snapshot: ConfigSnapshot;
  /** The limit of data endpoints, by key. */
  readonly data: RateLimiterAbstract | undefined;
}

/** In order: the key, the parameters, the limit of the key, then the work (docs/contract.md, Main API). */
export function attributionRoutes({ snapshot, data, ...engines }: AttributionRoutesOptions): Router {
  const router = new Router({ prefix: '/api/v1' });
  router.get(
    '/attributed-users',
    serverKey(snapshot, { missing: 'Authentication failed.', invalid: 'Authentication failed.' }),
    async (ctx) => {
      const { project, key } = callerOf(ctx);
      const input = readUsersInput(queryOf(ctx));
      const { users, pagination } = await withRateLimit(data, key, () =>
        listAttributedUsers(engines, snapshot, project, input),
      );
      const msg = `${users.length} attributed users retrieved, page ${pagination.page} of ${pagination.pages}.`;
      ctx.body = { msg, status: 200, data: { total_users: pagination.total, users, pagination } };
    },
  );
  router.get(
    '/get-attribution-result',
    serverKey(snapshot, { missing: 'Unauthorized access.', invalid: 'Unauthorized access.' }),
    async (ctx) => {
      const { project, key } = callerOf(ctx);
      const input = readResultInput(queryOf(ctx));
      const result = await withRateLimit(data, key, () => findAttribution(engines, project, input));
      if (result) ctx.body = { msg: 'Attribution result retrieved.', status: 200, data: result };
      else ctx.status = 204;
    },
  );
  return router;
}

/** The administration routes of attribution, for the holder of the admin token. */
export function explainRoutes(engines: Engines, requireAdmin: Middleware): Router {
  const router = new Router({ prefix: '/admin/v1' });
  router.get('/projects/:id/installs/:install_id/explain', requireAdmin, async (ctx) => {
    ctx.body = await explainInstall(engines, idOf(ctx.params.id, 'Project'), ctx.params.install_id as string);
  });
  return router;
}
