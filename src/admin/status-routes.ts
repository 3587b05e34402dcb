/** `GET /admin/v1/status`: how the installation is, for people (docs/contract.md, Running). */
import Router from '@koa/router';
import type { Administrators } from '../http/administrators';
import { readStatus, type StatusParts } from './status';

export function statusRoutes(parts: StatusParts, admins: Administrators): Router {
  const router = new Router({ prefix: '/admin/v1' });
  router.get('/status', admins.anywhere('status'), async (ctx) => {
    ctx.body = await readStatus(parts);
  });
  return router;
}
