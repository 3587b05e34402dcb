/** Administration over HTTP; every route needs the admin token (docs/contract.md, Workspace). */
import Router from '@koa/router';
import type { Middleware } from 'koa';
import type { Postgres } from '../db/postgres';
import { ApiError } from '../errors';
import { jsonBody } from '../http/body';
import { idOf } from '../http/ids';
import { validator } from '../http/validate';
import { sameSecret } from '../secrets';
import { paginationOf, readPage } from '../page';
import * as queries from './queries';
import * as service from './service';
import { applyWorkspace } from './workspace';
import { campaignPage, keySchema } from './schema';
import { switchesSchema, workspaceSchema } from './workspace-schema';

const parseWorkspace = validator(workspaceSchema);
const parseKey = validator(keySchema);
const parseSwitches = validator(switchesSchema);

/** Answers 401 unless the request carries the admin token. */
export function requireAdmin(adminToken: string): Middleware {
  return (ctx, next) => {
    const given = /^Bearer (.+)$/i.exec(ctx.get('Authorization'))?.[1];
    if (!given || !sameSecret(given.trim(), adminToken))
      throw new ApiError(401, 'Unauthorized access.', { 'WWW-Authenticate': 'Bearer' });
    return next();
  };
}

/**
 * The routes under /admin/v1. `refresh` brings this process up to date with a change before the change is answered;
 * the others hear of it from PostgreSQL.
 */
export function adminRoutes(
  postgres: Postgres,
  adminToken: string,
  refresh: () => Promise<void>,
  now: () => number,
): Router {
  const router = new Router({ prefix: '/admin/v1' });
  const body = jsonBody('50mb');
  const admin = requireAdmin(adminToken);
  /** Answers with a change once this process knows of it. */
  const changed = async <T>(work: Promise<T>): Promise<T> => {
    const result = await work;
    await refresh();
    return result;
  };
  const project = (ctx: { params: Record<string, string | undefined> }) => idOf(ctx.params.id, 'Project');
  const partner = (ctx: { params: Record<string, string | undefined> }, name = 'id') =>
    idOf(ctx.params[name], 'Partner');

  router.put('/workspace', admin, body, async (ctx) => {
    ctx.body = await changed(applyWorkspace(postgres, parseWorkspace(ctx.request.body)));
  });
  router.get('/accounts', admin, async (ctx) => {
    ctx.body = { accounts: await queries.readAccounts(postgres) };
  });
  router.get('/exchange_rates', admin, async (ctx) => {
    ctx.body = { exchange_rates: await queries.readExchangeRates(postgres) };
  });
  router.get('/partners', admin, async (ctx) => {
    ctx.body = { partners: await queries.readPartners(postgres) };
  });
  router.get('/projects', admin, async (ctx) => {
    ctx.body = { projects: await queries.readProjects(postgres) };
  });

  router.get('/partners/:id/tokens', admin, async (ctx) => {
    await service.mustExist(postgres, 'partners', partner(ctx));
    ctx.body = { tokens: await queries.readPartnerTokens(postgres, partner(ctx)) };
  });
  router.post('/partners/:id/tokens', admin, async (ctx) => {
    ctx.body = await changed(service.rotateToken(postgres, partner(ctx), now()));
    ctx.status = 201;
  });
  router.delete('/partners/:id/tokens', admin, async (ctx) => {
    await changed(service.revokePartnerTokens(postgres, partner(ctx)));
    ctx.status = 204;
  });

  for (const [name, read] of Object.entries(queries.projectLists)) {
    router.get(`/projects/:id/${name}`, admin, async (ctx) => {
      await service.mustExist(postgres, 'projects', project(ctx));
      ctx.body = { [name]: await read(postgres, project(ctx)) };
    });
  }
  router.get('/projects/:id/campaigns', admin, async (ctx) => {
    const page = readPage(
      ctx.URL.searchParams.get('page') ?? undefined,
      ctx.URL.searchParams.get('limit') ?? undefined,
      campaignPage.default,
      campaignPage.maximum,
    );
    await service.mustExist(postgres, 'projects', project(ctx));
    const [count] = await queries.countCampaigns(postgres, project(ctx));
    ctx.body = {
      campaigns: await queries.readCampaigns(postgres, project(ctx), page.limit, page.offset),
      pagination: paginationOf(count?.total ?? 0, page),
    };
  });
  router.post('/projects/:id/keys', admin, body, async (ctx) => {
    ctx.body = await changed(service.createKey(postgres, project(ctx), parseKey(ctx.request.body).kind));
    ctx.status = 201;
  });
  router.delete('/projects/:id/keys/:key_id', admin, async (ctx) => {
    await changed(service.revokeKey(postgres, project(ctx), idOf(ctx.params.key_id, 'Key')));
    ctx.status = 204;
  });
  router.put('/projects/:id/partners/:partner_id', admin, body, async (ctx) => {
    ctx.body = await changed(
      service.setSwitches(postgres, project(ctx), partner(ctx, 'partner_id'), parseSwitches(ctx.request.body)),
    );
  });
  for (const [verb, paused] of [
    ['pause', true],
    ['unpause', false],
  ] as const) {
    router.post(`/projects/:id/campaigns/:display_id/${verb}`, admin, async (ctx) => {
      ctx.body = await changed(service.setPaused(postgres, project(ctx), ctx.params.display_id as string, paused));
    });
  }
  router.delete('/projects/:id/channels/:slug', admin, async (ctx) => {
    await changed(service.deactivateChannel(postgres, project(ctx), ctx.params.slug as string));
    ctx.status = 204;
  });
  return router;
}
