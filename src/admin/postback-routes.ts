/** Templates of postbacks, of partners and of projects, one by one (docs/contract/postbacks.md). */
import type Router from '@koa/router';
import type { Context } from 'koa';
import { POSTBACK_EVENT_PATTERN, POSTBACK_EVENTS } from '../configuration/postbacks/events';
import type { Postgres } from '../db/postgres';
import { ApiError } from '../errors';
import { readActor, personIn, type Administrators } from '../http/administrators';
import { jsonBody } from '../http/body';
import { readId } from '../http/ids';
import { createRouter } from '../http/router';
import { readQueryString } from '../http/target';
import { validator } from '../http/validate';
import { readWholeNumber } from '../lib/parameters';
import { permissionsIn } from '../http/permissions';
import type { Seals } from '../lib/seal';
import { inForce } from './in-force';
import { overrideSchema, postbackSchema, requestSchema, SECRET_NAME, secretSchema } from './postback-schema';
import * as secrets from './postback-secrets';
import * as service from './postback-service';

import { mustExist } from './must-exist';

const parsePostback = validator(postbackSchema);
const parseOverride = validator(overrideSchema);
const parseRequest = validator(requestSchema);
const parseSecret = validator(secretSchema);
const NAME = new RegExp(SECRET_NAME);

const EVENT = new RegExp(POSTBACK_EVENT_PATTERN, 'u');
/** The greatest ID: PostgreSQL counts them in 32 bits. */
const MAX_ID = 2_147_483_647;

type WithParams = Context & { params: Record<string, string | undefined> };

const readPartnerId = (ctx: WithParams) => readId(ctx.params.id, 'Partner');
const readProjectId = (ctx: WithParams) => readId(ctx.params.id, 'Project');

/** @throws ApiError 400 for what is no event. */
function readEvent(ctx: WithParams): string {
  const { event = '' } = ctx.params;
  if (!EVENT.test(event)) throw new ApiError(400, `event: must be one of ${POSTBACK_EVENTS.join(', ')}, event:<name>`);
  return event;
}

/** @throws ApiError 400 for what is no name of a secret. */
function readSecretName(ctx: WithParams): string {
  const { name = '' } = ctx.params;
  if (!NAME.test(name)) throw new ApiError(400, 'name: must have 1 to 64 lower-case letters, digits and underscores');
  return name;
}

/** Whether who asks may change the templates of the partner, and so knows what they send. */
function mayChangeIn(ctx: WithParams): boolean {
  const person = personIn(ctx);
  return !person || permissionsIn(person, { partner: readPartnerId(ctx) }).includes('partner-postbacks');
}

const readOverrideKey = (ctx: WithParams): service.OverrideKey => ({
  projectId: readProjectId(ctx),
  partnerId: readWholeNumber(readQueryString(ctx), 'partner_id', { min: 1, max: MAX_ID }) ?? null,
  event: readEvent(ctx),
});

/** `refresh` brings this process up to date with a change before the change is answered; `seals` are of secrets. */
export function postbackRoutes(
  postgres: Postgres,
  admins: Administrators,
  refresh: () => Promise<void>,
  seals: Seals,
): Router {
  const router = createRouter('/admin/v1');
  const body = jsonBody('100kb');
  const changed = inForce(refresh);
  const mayChange = admins.partner('partner-postbacks');
  const settings = admins.project('settings');
  const seal = seals.of('postback headers');

  router.get('/partners/:id/postbacks', admins.partner('partner'), async (ctx) => {
    ctx.body = { postbacks: await service.listPostbacks(postgres, readPartnerId(ctx), seal, mayChangeIn(ctx)) };
  });
  router.put('/partners/:id/postbacks/:event', mayChange, body, async (ctx) => {
    const given = parsePostback(ctx.request.body);
    const key = { partnerId: readPartnerId(ctx), event: readEvent(ctx) };
    ctx.body = await changed(service.putPostback(postgres, readActor(ctx), key, given, seal));
  });
  router.delete('/partners/:id/postbacks/:event', mayChange, async (ctx) => {
    await changed(service.deletePostback(postgres, readActor(ctx), readPartnerId(ctx), readEvent(ctx)));
    ctx.status = 204;
  });
  router.post('/partners/:id/postbacks/preview', admins.partner('partner'), body, async (ctx) => {
    await mustExist(postgres, 'partners', readPartnerId(ctx));
    ctx.body = await service.preview(postgres, { partnerId: readPartnerId(ctx) }, parseRequest(ctx.request.body));
  });

  router.get('/projects/:id/postback_overrides', settings, async (ctx) => {
    ctx.body = { postback_overrides: await service.listOverrides(postgres, readProjectId(ctx), seal) };
  });
  router.put('/projects/:id/postback_overrides/:event', settings, body, async (ctx) => {
    const given = parseOverride(ctx.request.body);
    ctx.body = await changed(service.putOverride(postgres, readActor(ctx), readOverrideKey(ctx), given, seal));
  });
  router.delete('/projects/:id/postback_overrides/:event', settings, async (ctx) => {
    await changed(service.deleteOverride(postgres, readActor(ctx), readOverrideKey(ctx)));
    ctx.status = 204;
  });
  router.post('/projects/:id/postback_overrides/preview', settings, body, async (ctx) => {
    await mustExist(postgres, 'projects', readProjectId(ctx));
    ctx.body = await service.preview(postgres, { projectId: readProjectId(ctx) }, parseRequest(ctx.request.body));
  });

  const owners = [
    [
      '/partners/:id/postback_secrets',
      admins.partner('partner'),
      mayChange,
      (ctx: WithParams) => ({ partnerId: readPartnerId(ctx) }),
    ],
    ['/projects/:id/postback_secrets', settings, settings, (ctx: WithParams) => ({ projectId: readProjectId(ctx) })],
  ] as const;
  for (const [at, mayLook, maySet, ownerOf] of owners) {
    router.get(at, mayLook, async (ctx) => {
      ctx.body = { postback_secrets: await secrets.listSecrets(postgres, ownerOf(ctx)) };
    });
    router.put(`${at}/:name`, maySet, body, async (ctx) => {
      const { value } = parseSecret(ctx.request.body);
      ctx.body = await secrets.putSecret(postgres, readActor(ctx), ownerOf(ctx), readSecretName(ctx), value, seals);
    });
    router.delete(`${at}/:name`, maySet, async (ctx) => {
      await secrets.deleteSecret(postgres, readActor(ctx), ownerOf(ctx), readSecretName(ctx), seals);
      ctx.status = 204;
    });
  }
  return router;
}
