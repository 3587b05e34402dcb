/** The logs of all processes, for operators (docs/contract.md, Ingest log). */
import Router from '@koa/router';
import { ApiError } from '../errors';
import type { Administrators } from '../http/administrators';
import type { Processes } from '../ingest/processes';
import { presentProcess } from './ingest-presenter';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export function ingestRoutes(processes: Processes, admins: Administrators): Router {
  const router = new Router({ prefix: '/admin/v1/ingest' });
  router.get('/', admins.installation, async (ctx) => {
    ctx.body = { processes: (await processes.list()).map(presentProcess) };
  });
  router.delete('/:name', admins.installation, async (ctx) => {
    const { name = '' } = ctx.params;
    const known = UUID.test(name) ? (await processes.list()).find((one) => one.name === name) : undefined;
    if (!known) throw new ApiError(404, 'Process not found.');
    if (!known.is_left_behind) throw new ApiError(409, 'The process is alive.');
    await processes.forget(name);
    ctx.status = 204;
  });
  return router;
}
