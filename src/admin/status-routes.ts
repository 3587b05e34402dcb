/** `GET /admin/v1/status`: how the installation is, for people (docs/contract/running.md). */
import type Router from '@koa/router';
import { accountsWith, type Administrators } from '../http/administrators';
import { createRouter } from '../http/router';
import { readProjects } from './queries';
import { readStatus, type StatusParts } from './status';

/** Operators see the installation, engineers what waits of their own projects. */
export function statusRoutes(parts: StatusParts, admins: Administrators): Router {
  const router = createRouter('/admin/v1');
  router.get('/status', admins.anywhere('status'), async (ctx) => {
    const accounts = accountsWith(ctx, 'status');
    const projects =
      accounts && (await readProjects(parts.postgres)).filter((one) => accounts.includes(one.account_id));
    ctx.body = await readStatus(
      parts,
      projects?.map(({ id }) => id),
    );
  });
  return router;
}
