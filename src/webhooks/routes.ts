/** Webhooks of a project, one by one (docs/contract/postbacks.md). */
import type Router from '@koa/router';
import { putInForce, type AdministrationParts } from '../http/administration';
import { readActor } from '../http/administrators';
import { admin } from '../http/auth-schemes';
import { createRoutes, endpoints, json, type EndpointSection, type PathContext } from '../http/endpoint';
import { readId, readProjectId } from '../http/ids';
import { closed, list } from '../lib/schema';
import type { Seal } from '../lib/seal';
import { answer, badField, idParameter, MESSAGES, missing, projectId } from '../openapi/administration';
import { errorReply } from '../openapi/operation';
import * as schemas from './schema';
import * as service from './service';

export interface WebhooksParts extends AdministrationParts {
  /** Seals secrets. */
  readonly seal: Seal;
}

const operation = endpoints<WebhooksParts>();

const auth = admin.project('settings');
const readWebhookId = ({ params }: PathContext<'webhook'>) => readId(params.webhook, 'Webhook');
const webhookId = idParameter('webhook', 'webhook');
const body = json({
  schema: schemas.webhookSchema,
  example: { url: 'https://acme.example/hooks/adtrail', events: ['install', 'payment'] },
  limit: '100kb',
});
const taken = errorReply(409, 'Another one has the URL.', 'The project has a webhook of this URL.');

export const webhooksApi: EndpointSection<WebhooksParts> = {
  ...MESSAGES,
  operations: [
    operation({
      method: 'get',
      path: '/admin/v1/projects/{id}/webhooks',
      operationId: 'listWebhooks',
      summary: 'List the webhooks of a project',
      description: 'Without their secrets.',
      auth,
      parameters: [projectId],
      responses: {
        200: answer('The webhooks.', closed({ webhooks: list(schemas.storedWebhook) })),
        404: missing('Project'),
      },
      handle: async (ctx, { postgres }) => ({ webhooks: await service.listWebhooks(postgres, readProjectId(ctx)) }),
    }),
    operation({
      method: 'post',
      path: '/admin/v1/projects/{id}/webhooks',
      operationId: 'createWebhook',
      summary: 'Create a webhook',
      description: 'Its secret is generated, and shown this once.',
      auth,
      idempotent: true,
      parameters: [projectId],
      body,
      responses: {
        201: answer('The webhook.', schemas.createdWebhook),
        400: badField,
        404: missing('Project'),
        409: taken,
      },
      handle: (ctx, parts, { readBody }) => {
        const { postgres, seal, now } = parts;
        const given = readBody();
        return putInForce(
          parts,
          service.createWebhook(postgres, readActor(ctx), readProjectId(ctx), given, seal, now()),
        );
      },
    }),
    operation({
      method: 'put',
      path: '/admin/v1/projects/{id}/webhooks/{webhook}',
      operationId: 'putWebhook',
      summary: 'Change a webhook',
      description: 'Replaces URL, events and whether it is on; its secrets stay. One that is on is in use again.',
      auth,
      parameters: [projectId, webhookId],
      body,
      responses: {
        200: answer('The webhook.', schemas.storedWebhook),
        400: badField,
        404: missing('Webhook'),
        409: taken,
      },
      handle: (ctx, parts, { readBody }) => {
        const given = readBody();
        return putInForce(
          parts,
          service.putWebhook(parts.postgres, readActor(ctx), readProjectId(ctx), readWebhookId(ctx), given),
        );
      },
    }),
    operation({
      method: 'delete',
      path: '/admin/v1/projects/{id}/webhooks/{webhook}',
      operationId: 'deleteWebhook',
      summary: 'Delete a webhook',
      description: 'With its secrets.',
      auth,
      parameters: [projectId, webhookId],
      responses: { 204: { description: 'It is deleted.' }, 404: missing('Webhook') },
      handle: (ctx, parts) =>
        putInForce(
          parts,
          service.deleteWebhook(parts.postgres, readActor(ctx), readProjectId(ctx), readWebhookId(ctx)),
        ),
    }),
    operation({
      method: 'post',
      path: '/admin/v1/projects/{id}/webhooks/{webhook}/rotate',
      operationId: 'rotateWebhookSecret',
      summary: 'Make a new secret of a webhook',
      description: 'The secret before it signs for another 24 hours.',
      auth,
      idempotent: true,
      parameters: [projectId, webhookId],
      responses: { 201: answer('The secret.', schemas.rotatedSecret), 404: missing('Webhook') },
      handle: (ctx, parts) => {
        const { postgres, seal, now } = parts;
        return putInForce(
          parts,
          service.rotateSecret(postgres, readActor(ctx), readProjectId(ctx), readWebhookId(ctx), seal, now()),
        );
      },
    }),
  ],
};

export const webhookRoutes = (parts: WebhooksParts): Router => createRoutes(webhooksApi, parts);
