/** Postbacks and webhooks for the OpenAPI document (docs/contract/postbacks.md). */
import { errorReply, type ApiSection, type Parameter } from '../openapi/operation';
import { closed, list, Type } from '../lib/schema';
import { answer, idParameter, missing, operation, partnerId, plainOperation, projectId } from './operation';
import * as schemas from './postback-schema';

const limit = '100kb';
const event: Parameter = {
  name: 'event',
  in: 'path',
  description: '`install`, `reinstall`, ..., `rejected`, or `event:<name>`.',
  schema: Type.String({ minLength: 1 }),
  example: 'install',
};
const overridden: Parameter = {
  name: 'partner_id',
  in: 'query',
  description: 'The partner that it is for; without it, every partner.',
  schema: Type.Integer({ minimum: 1 }),
  example: 1,
};
const webhookId = idParameter('webhook', 'webhook');

const request = {
  method: 'POST',
  url: 'https://partner.example/postback?click={tid}',
  headers: { Authorization: 'Bearer secret-of-the-partner' },
  body: { event: 'install', time: '{install_time}', campaign: '{campaign_name}' },
};
const webhook = { url: 'https://acme.example/hooks/adtrail', events: ['install', 'payment'] };
const invalid = errorReply(400, 'A field is invalid; the message names it.', 'url: there is no macro {clickid}');
const taken = errorReply(409, 'Another one has the URL.', 'The project has a webhook of this URL.');

const previews = (
  [
    ['Postback', '/partners/{id}/postbacks/preview', partnerId, 'Partner'],
    ['PostbackOverride', '/projects/{id}/postback_overrides/preview', projectId, 'Project'],
  ] as const
).map(([name, at, place, what]) =>
  plainOperation({
    method: 'post',
    at,
    limit,
    operationId: `preview${name}`,
    summary: 'Preview a postback',
    description: 'The request that a template makes of sample values. Nothing is stored, and nothing is sent.',
    parameters: [place],
    body: { schema: schemas.requestSchema, example: request },
    responses: { 200: answer('The request.', schemas.renderedSchema), 400: invalid, 404: missing(what) },
  }),
);

const secretName: Parameter = {
  name: 'name',
  in: 'path',
  description: 'The name of the secret, as templates have it: `{secret:api_key}`.',
  schema: Type.String({ pattern: schemas.SECRET_NAME }),
  example: 'api_key',
};
const secretOperations = (
  [
    ['Partner', '/partners/{id}/postback_secrets', partnerId, 'Of its own templates.'],
    ['Project', '/projects/{id}/postback_secrets', projectId, 'Of what the project overrides.'],
  ] as const
).flatMap(([what, at, place, whose]) => [
  operation({
    method: 'get',
    at,
    operationId: `list${what}PostbackSecrets`,
    summary: `List the secrets in postbacks of a ${what.toLowerCase()}`,
    description: `${whose} Their names, and when they were set; never what they are.`,
    parameters: [place],
    responses: {
      200: answer('The names.', closed({ postback_secrets: list(schemas.storedSecret) })),
      404: missing(what),
    },
  }),
  operation({
    method: 'put',
    at: `${at}/{name}`,
    limit,
    operationId: `put${what}PostbackSecret`,
    summary: `Set a secret in postbacks of a ${what.toLowerCase()}`,
    description: `${whose} Makes or replaces what \`{secret:name}\` stands for. It is never shown again.`,
    parameters: [place, secretName],
    body: { schema: schemas.secretSchema, example: { value: 'secret-of-the-receiver' } },
    responses: { 200: answer('Its name.', schemas.storedSecret), 400: invalid, 404: missing(what) },
  }),
  operation({
    method: 'delete',
    at: `${at}/{name}`,
    operationId: `delete${what}PostbackSecret`,
    summary: `Delete a secret in postbacks of a ${what.toLowerCase()}`,
    description: `${whose} Not while a template uses it.`,
    parameters: [place, secretName],
    responses: {
      204: { description: 'It is deleted.' },
      400: invalid,
      404: missing('Postback secret'),
      409: errorReply(409, 'A template uses it.', 'The template of install uses it.'),
    },
  }),
]);

export const postbackApi: ApiSection = {
  tag: 'Postbacks and webhooks',
  description: 'What partners and advertisers are told of installs and events, and where.',
  operations: [
    operation({
      method: 'get',
      at: '/partners/{id}/postbacks',
      operationId: 'listPostbacks',
      summary: 'List the postbacks of a partner',
      description: 'What the partner is told in all projects that override nothing.',
      parameters: [partnerId],
      responses: {
        200: answer('The templates.', closed({ postbacks: list(schemas.storedPostback) })),
        404: missing('Partner'),
      },
    }),
    operation({
      method: 'put',
      at: '/partners/{id}/postbacks/{event}',
      limit,
      operationId: 'putPostback',
      summary: 'Set a postback of a partner',
      description: 'Makes or replaces the template of an event. One that is on is in use again.',
      parameters: [partnerId, event],
      body: { schema: schemas.postbackSchema, example: request },
      responses: { 200: answer('The template.', schemas.storedPostback), 400: invalid, 404: missing('Partner') },
    }),
    operation({
      method: 'delete',
      at: '/partners/{id}/postbacks/{event}',
      operationId: 'deletePostback',
      summary: 'Delete a postback of a partner',
      description: 'What projects override stays.',
      parameters: [partnerId, event],
      responses: { 204: { description: 'It is deleted.' }, 400: invalid, 404: missing('Postback') },
    }),
    operation({
      method: 'get',
      at: '/projects/{id}/postback_overrides',
      operationId: 'listPostbackOverrides',
      summary: 'List what a project overrides',
      description: 'Of the postbacks of partners: requests of its own, and what is withheld.',
      parameters: [projectId],
      responses: {
        200: answer('The overrides.', closed({ postback_overrides: list(schemas.storedOverride) })),
        404: missing('Project'),
      },
    }),
    operation({
      method: 'put',
      at: '/projects/{id}/postback_overrides/{event}',
      limit,
      operationId: 'putPostbackOverride',
      summary: 'Override a postback in a project',
      description:
        "Makes or replaces an override. Without `method` and `url` the partner's request is sent; with `enabled` " +
        'false nothing is sent.',
      parameters: [projectId, event, overridden],
      body: { schema: schemas.overrideSchema, example: { withhold: ['amounts'] } },
      responses: { 200: answer('The override.', schemas.storedOverride), 400: invalid, 404: missing('Project') },
    }),
    operation({
      method: 'delete',
      at: '/projects/{id}/postback_overrides/{event}',
      operationId: 'deletePostbackOverride',
      summary: 'Delete an override of a project',
      description: "The partner's own template counts again.",
      parameters: [projectId, event, overridden],
      responses: { 204: { description: 'It is deleted.' }, 400: invalid, 404: missing('Postback override') },
    }),
    ...previews,
    ...secretOperations,
    operation({
      method: 'get',
      at: '/projects/{id}/webhooks',
      operationId: 'listWebhooks',
      summary: 'List the webhooks of a project',
      description: 'Without their secrets.',
      parameters: [projectId],
      responses: {
        200: answer('The webhooks.', closed({ webhooks: list(schemas.storedWebhook) })),
        404: missing('Project'),
      },
    }),
    operation({
      method: 'post',
      at: '/projects/{id}/webhooks',
      limit,
      operationId: 'createWebhook',
      summary: 'Create a webhook',
      description: 'Its secret is generated, and shown this once.',
      parameters: [projectId],
      body: { schema: schemas.webhookSchema, example: webhook },
      responses: {
        201: answer('The webhook.', schemas.createdWebhook),
        400: invalid,
        404: missing('Project'),
        409: taken,
      },
    }),
    operation({
      method: 'put',
      at: '/projects/{id}/webhooks/{webhook}',
      limit,
      operationId: 'putWebhook',
      summary: 'Change a webhook',
      description: 'Replaces URL, events and whether it is on; its secrets stay. One that is on is in use again.',
      parameters: [projectId, webhookId],
      body: { schema: schemas.webhookSchema, example: webhook },
      responses: {
        200: answer('The webhook.', schemas.storedWebhook),
        400: invalid,
        404: missing('Webhook'),
        409: taken,
      },
    }),
    operation({
      method: 'delete',
      at: '/projects/{id}/webhooks/{webhook}',
      operationId: 'deleteWebhook',
      summary: 'Delete a webhook',
      description: 'With its secrets.',
      parameters: [projectId, webhookId],
      responses: { 204: { description: 'It is deleted.' }, 404: missing('Webhook') },
    }),
    operation({
      method: 'post',
      at: '/projects/{id}/webhooks/{webhook}/rotate',
      operationId: 'rotateWebhookSecret',
      summary: 'Make a new secret of a webhook',
      description: 'The secret before it signs for another 24 hours.',
      parameters: [projectId, webhookId],
      responses: { 201: answer('The secret.', schemas.rotatedSecret), 404: missing('Webhook') },
    }),
  ],
};
