/** ClickHouse users that see one project, for the holder of the admin token (docs/contract.md, Workspace). */
import Router from '@koa/router';
import type { Middleware } from 'koa';
import { idOf } from '../http/ids';
import type { ProjectReaders } from './project-readers';

/** `once` answers a creation that is sent again. */
export function readerRoutes(readers: ProjectReaders, requireAdmin: Middleware, once: Middleware): Router {
  const router = new Router({ prefix: '/admin/v1/projects/:id' });
  router.post('/readers', requireAdmin, once, async (ctx) => {
    ctx.body = await readers.create(idOf(ctx.params.id, 'Project'));
    ctx.status = 201;
  });
  router.delete('/readers/:user', requireAdmin, async (ctx) => {
    await readers.revoke(idOf(ctx.params.id, 'Project'), ctx.params.user as string);
    ctx.status = 204;
  });
  return router;
}
