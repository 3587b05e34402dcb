/** Administration over HTTP: by the admin token, or by a person whose role allows it (docs/contract/workspace.md). */
import type Router from '@koa/router';
import type { Middleware } from 'koa';
import type { ResolveTimezone } from '../configuration/timezones';
import type { Postgres } from '../db/postgres';
import { readActor, isOperator, personIn, readPlaces, type Administrators } from '../http/administrators';
import { jsonBody } from '../http/body';
import { idempotent } from '../http/idempotency';
import { readId } from '../http/ids';
import { createRouter } from '../http/router';
import { readQueryString } from '../http/target';
import { validator } from '../http/validate';
import { presentPagination, readPage } from '../lib/page';
import type { Seals } from '../lib/seal';
import { readDomains } from './domain-service';
import { inForce } from './in-force';
import * as queries from './queries';
import { mustExist } from './must-exist';
import * as service from './service';
import { applyToProject, applyWorkspace, refuseDomains } from './workspace';
import { campaignPage, keySchema } from './schema';
import { unifyProject, unifyWorkspace } from './workspace-form';
import { projectSettingsSchema, switchesSchema, workspaceSchema } from './workspace-schema';

const parseWorkspace = validator(workspaceSchema);
const parseProject = validator(projectSettingsSchema);
const parseKey = validator(keySchema);
const parseSwitches = validator(switchesSchema);

/** From the admin token: a document of 200,000 campaigns with 20 fields each. */
const LARGE = jsonBody('50mb', { maxValues: 4_000_000 });
/** From people, many of whom share a process: what it takes some tenths of a second to read. */
const SMALL = jsonBody('1mb', { maxValues: 50_000 });

/**
 * The routes under /admin/v1 of a service that is reached at `hosts`. `refresh` brings this process
 * up to date with a change before the change is answered; the others hear of it from PostgreSQL.
 */
export function adminRoutes(
  postgres: Postgres,
  admins: Administrators,
  hosts: readonly string[],
  refresh: () => Promise<void>,
  resolveTimezone: ResolveTimezone,
  seals: Seals,
  now: () => number,
): Router {
  const router = createRouter('/admin/v1');
  const body: Middleware = async (ctx, next) => {
    await (personIn(ctx) ? SMALL : LARGE)(ctx, next);
  };
  const once = idempotent(postgres, now);
  const changed = inForce(refresh);
  const ownHosts = new Set(hosts);
  const lists = { ...queries.projectLists, domains: readDomains };
  const project = (ctx: { params: Record<string, string | undefined> }) => readId(ctx.params.id, 'Project');
  const partner = (ctx: { params: Record<string, string | undefined> }, name = 'id') =>
    readId(ctx.params[name], 'Partner');

  router.put('/workspace', admins.installation, body, async (ctx) => {
    const document = unifyWorkspace(parseWorkspace(ctx.request.body));
    refuseDomains(document.projects ?? [], ownHosts);
    ctx.body = await changed(applyWorkspace(postgres, readActor(ctx), document, resolveTimezone, seals));
  });
  router.get('/accounts', admins.known, async (ctx) => {
    const accounts = await queries.readAccounts(postgres);
    ctx.body = { accounts: accounts.filter(({ id }) => readPlaces(ctx).account(id)) };
  });
  router.get('/exchange_rates', admins.known, async (ctx) => {
    ctx.body = { exchange_rates: await queries.readExchangeRates(postgres) };
  });
  router.get('/partners', admins.known, async (ctx) => {
    const partners = await queries.readPartners(postgres);
    ctx.body = { partners: partners.filter(({ id }) => readPlaces(ctx).partner(id)) };
  });
  router.get('/projects', admins.known, async (ctx) => {
    const projects = await queries.readProjects(postgres);
    ctx.body = {
      projects: projects
        .filter(({ account_id }) => readPlaces(ctx).account(account_id))
        .map(({ account_id: _, ...rest }) => rest),
    };
  });
  router.put('/projects/:id', admins.project('settings'), body, async (ctx) => {
    const document = unifyProject(parseProject(ctx.request.body));
    refuseDomains([document], ownHosts, () => 'body');
    const given = { resolveTimezone, seals, isOperator: isOperator(ctx) };
    ctx.body = await changed(applyToProject(postgres, readActor(ctx), project(ctx), document, given));
  });

  router.get('/partners/:id/tokens', admins.partner('partner-tokens'), async (ctx) => {
    await mustExist(postgres, 'partners', partner(ctx));
    ctx.body = { tokens: await queries.readPartnerTokens(postgres, partner(ctx)) };
  });
  router.post('/partners/:id/tokens', admins.partner('partner-tokens'), once, async (ctx) => {
    ctx.body = await changed(service.rotateToken(postgres, readActor(ctx), partner(ctx), now()));
    ctx.status = 201;
  });
  router.delete('/partners/:id/tokens', admins.partner('partner-tokens'), async (ctx) => {
    await changed(service.revokePartnerTokens(postgres, readActor(ctx), partner(ctx)));
    ctx.status = 204;
  });

  for (const [name, read] of Object.entries(lists)) {
    router.get(`/projects/:id/${name}`, admins.project(name === 'keys' ? 'keys' : 'reports'), async (ctx) => {
      await mustExist(postgres, 'projects', project(ctx));
      ctx.body = { [name]: await read(postgres, project(ctx)) };
    });
  }
  router.get('/projects/:id/campaigns', admins.project('reports'), async (ctx) => {
    const page = readPage(
      readQueryString(ctx).get('page') ?? undefined,
      readQueryString(ctx).get('limit') ?? undefined,
      campaignPage.default,
      campaignPage.maximum,
    );
    await mustExist(postgres, 'projects', project(ctx));
    const [count] = await queries.countCampaigns(postgres, project(ctx));
    ctx.body = {
      campaigns: await queries.readCampaigns(postgres, project(ctx), page.limit, page.offset),
      pagination: presentPagination(count?.total ?? 0, page),
    };
  });
  router.post('/projects/:id/keys', admins.project('keys'), body, once, async (ctx) => {
    ctx.body = await changed(
      service.createKey(postgres, readActor(ctx), project(ctx), parseKey(ctx.request.body).kind),
    );
    ctx.status = 201;
  });
  router.delete('/projects/:id/keys/:key_id', admins.project('keys'), async (ctx) => {
    await changed(service.revokeKey(postgres, readActor(ctx), project(ctx), readId(ctx.params.key_id, 'Key')));
    ctx.status = 204;
  });
  router.delete('/projects/:id/domains/:domain_id', admins.project('settings'), async (ctx) => {
    await changed(service.deleteDomain(postgres, readActor(ctx), project(ctx), readId(ctx.params.domain_id, 'Domain')));
    ctx.status = 204;
  });
  router.delete('/projects/:id/apps/:app', admins.project('settings'), async (ctx) => {
    await changed(service.deleteApp(postgres, readActor(ctx), project(ctx), readId(ctx.params.app, 'App')));
    ctx.status = 204;
  });
  router.delete('/projects/:id/store_listings/:listing', admins.project('settings'), async (ctx) => {
    const listing = readId(ctx.params.listing, 'Store listing');
    await changed(service.deleteStoreListing(postgres, readActor(ctx), project(ctx), listing));
    ctx.status = 204;
  });
  router.put('/projects/:id/partners/:partner_id', admins.project('settings'), body, async (ctx) => {
    ctx.body = await changed(
      service.setSwitches(
        postgres,
        readActor(ctx),
        project(ctx),
        partner(ctx, 'partner_id'),
        parseSwitches(ctx.request.body),
      ),
    );
  });
  for (const [verb, paused] of [
    ['pause', true],
    ['unpause', false],
  ] as const) {
    router.post(`/projects/:id/campaigns/:display_id/${verb}`, admins.project('links'), once, async (ctx) => {
      ctx.body = await changed(
        service.setPaused(postgres, readActor(ctx), project(ctx), ctx.params.display_id as string, paused),
      );
    });
  }
  router.delete('/projects/:id/channels/:slug', admins.project('settings'), async (ctx) => {
    await changed(service.deactivateChannel(postgres, readActor(ctx), project(ctx), ctx.params.slug as string));
    ctx.status = 204;
  });
  return router;
}
