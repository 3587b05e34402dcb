/** Administration over HTTP, for whoever holds the admin token (decisions.md §2). */
import Router from '@koa/router';
import type { Middleware } from 'koa';
import type { Postgres } from '../db/postgres';
import { ApiError } from '../errors';
import { jsonBody } from '../http/body';
import { validator } from '../http/validate';
import { sameSecret } from '../secrets';
import { readAccounts, readPartners, readProjects } from './queries';
import { revokePartnerTokens, rotateToken, setSwitches } from './service';
import { applyWorkspace } from './workspace';
import { switchesProperties, workspaceSchema, type Switches, type WorkspaceDocument } from './workspace-schema';

const parseWorkspace = validator<WorkspaceDocument>(workspaceSchema);
const parseSwitches = validator<Switches>({ type: 'object', properties: switchesProperties, additionalProperties: false, minProperties: 1 });

/** Lets the holder of the admin token pass, and nobody else. */
export function adminOnly(adminToken: string): Middleware {
  return (ctx, next) => {
    const given = /^Bearer (.+)$/i.exec(ctx.get('Authorization'))?.[1];
    if (!given || !sameSecret(given.trim(), adminToken)) throw new ApiError(401, 'Unauthorized access.', { 'WWW-Authenticate': 'Bearer' });
    return next();
  };
}

function idOf(text: string | undefined, what: string): number {
  if (!text || !/^\d{1,9}$/.test(text)) throw new ApiError(404, `${what} not found.`);
  return Number(text);
}

/**
 * The routes under /admin/v1. `refresh` brings this process up to date with a change before the change is answered;
 * the others hear of it from PostgreSQL.
 */
export function adminRoutes(postgres: Postgres, adminToken: string, refresh: () => Promise<void>, now: () => number): Router {
  const router = new Router({ prefix: '/admin/v1' });
  const body = jsonBody('50mb');
  const guard = adminOnly(adminToken);

  router.put('/workspace', guard, body, async (ctx) => {
    const result = await applyWorkspace(postgres, parseWorkspace(ctx.request.body));
    await refresh();
    ctx.body = result;
  });
  router.get('/accounts', guard, async (ctx) => {
    ctx.body = { accounts: await readAccounts(postgres) };
  });
  router.get('/partners', guard, async (ctx) => {
    ctx.body = { partners: await readPartners(postgres) };
  });
  router.get('/projects', guard, async (ctx) => {
    ctx.body = { projects: await readProjects(postgres) };
  });
  router.post('/partners/:id/tokens', guard, async (ctx) => {
    const token = await rotateToken(postgres, idOf(ctx.params.id, 'Partner'), now());
    await refresh();
    ctx.status = 201;
    ctx.body = token;
  });
  router.delete('/partners/:id/tokens', guard, async (ctx) => {
    await revokePartnerTokens(postgres, idOf(ctx.params.id, 'Partner'));
    await refresh();
    ctx.status = 204;
  });
  router.put('/projects/:id/partners/:partner_id', guard, body, async (ctx) => {
    const switches = await setSwitches(postgres, idOf(ctx.params.id, 'Project'), idOf(ctx.params.partner_id, 'Partner'), parseSwitches(ctx.request.body));
    await refresh();
    ctx.body = switches;
  });
  return router;
}
