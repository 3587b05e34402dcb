/** Webhooks of a project, one by one (docs/contract/postbacks.md). */
import type Router from '@koa/router';
import type { Postgres } from '../db/postgres';
import { readActor, type Administrators } from '../http/administrators';
import { jsonBody } from '../http/body';
import { idempotent } from '../http/idempotency';
import { readId } from '../http/ids';
import { createRouter } from '../http/router';
import { validator } from '../http/validate';
import type { Seal } from '../lib/seal';
import { inForce } from './in-force';
import { webhookSchema } from './postback-schema';
import * as service from './webhook-service';

const parseWebhook = validator(webhookSchema);

/** `refresh` brings this process up to date with a change before the change is answered; `seal` is of secrets. */
export function webhookRoutes(
  postgres: Postgres,
  admins: Administrators,
  refresh: () => Promise<void>,
  seal: Seal,
  now: () => number,
): Router {
  const router = createRouter('/admin/v1/projects/:id');
  const body = jsonBody('100kb');
  const once = idempotent(postgres, now);
  const changed = inForce(refresh);
  const settings = admins.project('settings');
  const project = (ctx: { params: Record<string, string | undefined> }) => readId(ctx.params.id, 'Project');
  const webhook = (ctx: { params: Record<string, string | undefined> }) => readId(ctx.params.webhook, 'Webhook');

  router.get('/webhooks', settings, async (ctx) => {
    ctx.body = { webhooks: await service.listWebhooks(postgres, project(ctx)) };
  });
  router.post('/webhooks', settings, body, once, async (ctx) => {
    const given = parseWebhook(ctx.request.body);
    ctx.body = await changed(service.createWebhook(postgres, readActor(ctx), project(ctx), given, seal, now()));
    ctx.status = 201;
  });
  router.put('/webhooks/:webhook', settings, body, async (ctx) => {
    const given = parseWebhook(ctx.request.body);
    ctx.body = await changed(service.putWebhook(postgres, readActor(ctx), project(ctx), webhook(ctx), given));
  });
  router.delete('/webhooks/:webhook', settings, async (ctx) => {
    await changed(service.deleteWebhook(postgres, readActor(ctx), project(ctx), webhook(ctx)));
    ctx.status = 204;
  });
  router.post('/webhooks/:webhook/rotate', settings, once, async (ctx) => {
    ctx.body = await changed(service.rotateSecret(postgres, readActor(ctx), project(ctx), webhook(ctx), seal, now()));
    ctx.status = 201;
  });
  return router;
}
