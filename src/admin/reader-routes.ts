/** ClickHouse users that see one project, for operators and who has SQL access (docs/contract/workspace.md). */
import type Router from '@koa/router';
import type { Middleware } from 'koa';
import { readActor, type Administrators } from '../http/administrators';
import { readId } from '../http/ids';
import { createRouter } from '../http/router';
import type { ProjectReaders } from './project-readers';

/** `once` answers a creation that is sent again. */
export function readerRoutes(readers: ProjectReaders, admins: Administrators, once: Middleware): Router {
  const router = createRouter('/admin/v1/projects/:id');
  router.get('/readers', admins.project('sql'), async (ctx) => {
    ctx.body = await readers.list(readId(ctx.params.id, 'Project'));
  });
  router.post('/readers', admins.project('sql'), once, async (ctx) => {
    ctx.body = await readers.create(readActor(ctx), readId(ctx.params.id, 'Project'));
    ctx.status = 201;
  });
  router.delete('/readers/:user', admins.project('sql'), async (ctx) => {
    await readers.revoke(readActor(ctx), readId(ctx.params.id, 'Project'), ctx.params.user as string);
    ctx.status = 204;
  });
  return router;
}
