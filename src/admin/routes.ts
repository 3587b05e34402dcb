/** Administration over HTTP; every route needs the admin token (docs/contract.md, Workspace). */
import Router from '@koa/router';
import type { Middleware } from 'koa';
import type { Postgres } from '../db/postgres';
import { ApiError } from '../errors';
import { jsonBody } from '../http/body';
import { idempotent } from '../http/idempotency';
import { idOf } from '../http/ids';
import type { GuessLimit } from '../http/limits';
import { queryOf } from '../http/target';
import { validator } from '../http/validate';
import { sameSecret } from '../secrets';
import { paginationOf, readPage } from '../page';
import * as queries from './queries';
import * as service from './service';
import { applyWorkspace, refuseDomains } from './workspace';
import { campaignPage, keySchema } from './schema';
import { switchesSchema, workspaceSchema } from './workspace-schema';

const parseWorkspace = validator(workspaceSchema);
const parseKey = validator(keySchema);
const parseSwitches = validator(switchesSchema);

/** A document of 200,000 campaigns with 20 fields each. */
const MAX_VALUES = 4_000_000;

/** Answers 401 unless the request carries the admin token, and 429 to who has guessed it wrong too often. */
export function requireAdmin(adminToken: string, guesses: GuessLimit): Middleware {
  return async (ctx, next) => {
    const given = /^Bearer (.+)$/i.exec(ctx.get('Authorization'))?.[1];
    if (given) await guesses.refuseIfTooMany(ctx);
    if (!given || !sameSecret(given.trim(), adminToken)) {
      if (given) await guesses.count(ctx);
      throw new ApiError(401, 'Unauthorized access.', { 'WWW-Authenticate': 'Bearer' });
    }
    await next();
  };
}

/**
 * The routes under /admin/v1, which `admin` guards, of a service that listens on `host`. `refresh` brings this process
 * up to date with a change before the change is answered; the others hear of it from PostgreSQL.
 */
export function adminRoutes(
  postgres: Postgres,
  admin: Middleware,
  host: string,
  refresh: () => Promise<void>,
  now: () => number,
): Router {
  const router = new Router({ prefix: '/admin/v1' });
  const body = jsonBody('50mb', { maxValues: MAX_VALUES });
  const once = idempotent(postgres, now);
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
    const document = parseWorkspace(ctx.request.body);
    refuseDomains(document, new Set([host, ctx.hostname].map((name) => name.toLowerCase())));
    ctx.body = await changed(applyWorkspace(postgres, document));
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
  router.post('/partners/:id/tokens', admin, once, async (ctx) => {
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
      queryOf(ctx).get('page') ?? undefined,
      queryOf(ctx).get('limit') ?? undefined,
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
  router.post('/projects/:id/keys', admin, body, once, async (ctx) => {
    ctx.body = await changed(service.createKey(postgres, project(ctx), parseKey(ctx.request.body).kind));
    ctx.status = 201;
  });
  router.delete('/projects/:id/keys/:key_id', admin, async (ctx) => {
    await changed(service.revokeKey(postgres, project(ctx), idOf(ctx.params.key_id, 'Key')));
    ctx.status = 204;
  });
  router.delete('/projects/:id/domains/:domain_id', admin, async (ctx) => {
    await changed(service.deleteDomain(postgres, project(ctx), idOf(ctx.params.domain_id, 'Domain')));
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
    router.post(`/projects/:id/campaigns/:display_id/${verb}`, admin, once, async (ctx) => {
      ctx.body = await changed(service.setPaused(postgres, project(ctx), ctx.params.display_id as string, paused));
    });
  }
  router.delete('/projects/:id/channels/:slug', admin, async (ctx) => {
    await changed(service.deactivateChannel(postgres, project(ctx), ctx.params.slug as string));
    ctx.status = 204;
  });
  return router;
}
