/** Templates of postbacks, of partners and of projects, one by one (docs/contract.md, Postbacks). */
import Router from '@koa/router';
import type { Context } from 'koa';
import { POSTBACK_EVENT_PATTERN, POSTBACK_EVENTS } from '../configuration/postbacks/events';
import type { Postgres } from '../db/postgres';
import { ApiError } from '../errors';
import { actorOf, type Administrators } from '../http/administrators';
import { jsonBody } from '../http/body';
import { idOf } from '../http/ids';
import { queryOf } from '../http/target';
import { validator } from '../http/validate';
import { readWholeNumber } from '../parameters';
import { inForce } from './in-force';
import { overrideSchema, postbackSchema, requestSchema } from './postback-schema';
import * as service from './postback-service';
import { mustExist } from './service';

const parsePostback = validator(postbackSchema);
const parseOverride = validator(overrideSchema);
const parseRequest = validator(requestSchema);

const EVENT = new RegExp(POSTBACK_EVENT_PATTERN, 'u');
/** Of IDs, which PostgreSQL counts in 32 bits. */
const MAX_ID = 2_147_483_647;

type WithParams = Context & { params: Record<string, string | undefined> };

const partnerOf = (ctx: WithParams) => idOf(ctx.params.id, 'Partner');
const projectOf = (ctx: WithParams) => idOf(ctx.params.id, 'Project');

/** @throws ApiError 400 for what is no event. */
function eventOf(ctx: WithParams): string {
  const { event = '' } = ctx.params;
  if (!EVENT.test(event)) throw new ApiError(400, `event: must be one of ${POSTBACK_EVENTS.join(', ')}, event:<name>`);
  return event;
}

const overrideOf = (ctx: WithParams): service.OverrideKey => ({
  projectId: projectOf(ctx),
  partnerId: readWholeNumber(queryOf(ctx), 'partner_id', { min: 1, max: MAX_ID }) ?? null,
  event: eventOf(ctx),
});

/** `refresh` brings this process up to date with a change before the change is answered. */
export function postbackRoutes(postgres: Postgres, admins: Administrators, refresh: () => Promise<void>): Router {
  const router = new Router({ prefix: '/admin/v1' });
  const body = jsonBody('100kb');
  const changed = inForce(refresh);
  const mayChange = admins.partner('partner-postbacks');
  const settings = admins.project('settings');

  router.get('/partners/:id/postbacks', admins.partner('partner'), async (ctx) => {
    ctx.body = { postbacks: await service.listPostbacks(postgres, partnerOf(ctx)) };
  });
  router.put('/partners/:id/postbacks/:event', mayChange, body, async (ctx) => {
    const given = parsePostback(ctx.request.body);
    ctx.body = await changed(service.putPostback(postgres, actorOf(ctx), partnerOf(ctx), eventOf(ctx), given));
  });
  router.delete('/partners/:id/postbacks/:event', mayChange, async (ctx) => {
    await changed(service.deletePostback(postgres, actorOf(ctx), partnerOf(ctx), eventOf(ctx)));
    ctx.status = 204;
  });
  router.post('/partners/:id/postbacks/preview', admins.partner('partner'), body, async (ctx) => {
    await mustExist(postgres, 'partners', partnerOf(ctx));
    ctx.body = service.preview(parseRequest(ctx.request.body));
  });

  router.get('/projects/:id/postback_overrides', settings, async (ctx) => {
    ctx.body = { postback_overrides: await service.listOverrides(postgres, projectOf(ctx)) };
  });
  router.put('/projects/:id/postback_overrides/:event', settings, body, async (ctx) => {
    const given = parseOverride(ctx.request.body);
    ctx.body = await changed(service.putOverride(postgres, actorOf(ctx), overrideOf(ctx), given));
  });
  router.delete('/projects/:id/postback_overrides/:event', settings, async (ctx) => {
    await changed(service.deleteOverride(postgres, actorOf(ctx), overrideOf(ctx)));
    ctx.status = 204;
  });
  router.post('/projects/:id/postback_overrides/preview', settings, body, async (ctx) => {
    await mustExist(postgres, 'projects', projectOf(ctx));
    ctx.body = service.preview(parseRequest(ctx.request.body));
  });
  return router;
}
