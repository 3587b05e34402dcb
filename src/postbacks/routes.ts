/** Templates of postbacks, of partners and of projects, one by one (docs/contract/postbacks.md). */
import type Router from '@koa/router';
import { POSTBACK_EVENT_PATTERN, POSTBACK_EVENTS } from '../configuration/postbacks/events';
import { ApiError } from '../errors';
import { putInForce } from '../http/administration';
import { personIn, readActor } from '../http/administrators';
import { createRoutes, json, type EndpointSection, type PathContext } from '../http/endpoint';
import { readPartnerId, readProjectId } from '../http/ids';
import { permissionsIn } from '../http/permissions';
import { closed, list, rowId, Type } from '../lib/schema';
import { answer, badField, MESSAGES, missing, partnerId, projectId } from '../openapi/administration';
import { pathParameter, queryParameter, type QueryValues } from '../openapi/operation';
import { changePartner, headerSeal, operation, OWNERS, seePartner, settings, type PostbacksParts } from './endpoint';
import * as schemas from './schema';
import { secretOperations } from './secret-routes';
import { mustBeThere } from './secrets';
import * as service from './service';

const limit = '100kb';
const EVENT = new RegExp(POSTBACK_EVENT_PATTERN, 'u');

/** @throws ApiError 400 for what is no event. */
function readEvent({ params: { event } }: PathContext<'event'>): string {
  if (!EVENT.test(event)) throw new ApiError(400, `event: must be one of ${POSTBACK_EVENTS.join(', ')}, event:<name>`);
  return event;
}

/** Whether who asks may change the templates of the partner, and so knows what they send. */
function mayChangeIn(ctx: PathContext<'id'>): boolean {
  const person = personIn(ctx);
  return !person || permissionsIn(person, { partner: readPartnerId(ctx) }).includes('partner-postbacks');
}

const readOverrideKey = (
  ctx: PathContext<'id' | 'event'>,
  { partner_id }: QueryValues<[typeof overridden]>,
): service.OverrideKey => ({ projectId: readProjectId(ctx), partnerId: partner_id ?? null, event: readEvent(ctx) });

const event = pathParameter(
  'event',
  '`install`, `reinstall`, ..., `rejected`, or `event:<name>`.',
  Type.String({ minLength: 1 }),
  'install',
);
const overridden = queryParameter('partner_id', 'The partner that it is for; without it, every partner.', rowId, 1);
const request = {
  method: 'POST',
  url: 'https://partner.example/postback?click={tid}',
  headers: { Authorization: 'Bearer secret-of-the-partner' },
  body: { event: 'install', time: '{install_time}', campaign: '{campaign_name}' },
};

const previews = OWNERS.map(({ what, path, parameter, maySee, read }) =>
  operation({
    method: 'post',
    path: `${path}/${what === 'Partner' ? 'postbacks' : 'postback_overrides'}/preview`,
    operationId: what === 'Partner' ? 'previewPostback' : 'previewPostbackOverride',
    repeatable: true,
    summary: 'Preview a postback',
    description: 'The request that a template makes of sample values. Nothing is stored, and nothing is sent.',
    auth: maySee,
    parameters: [parameter],
    body: json({ schema: schemas.requestSchema, example: request, limit }),
    responses: { 200: answer('The request.', schemas.renderedSchema), 400: badField, 404: missing(what) },
    handle: async (ctx, { postgres }, { readBody }) => {
      const owner = read(ctx);
      await mustBeThere(postgres, owner);
      return service.preview(postgres, owner, readBody());
    },
  }),
);

export const postbacksApi: EndpointSection<PostbacksParts> = {
  ...MESSAGES,
  operations: [
    operation({
      method: 'get',
      path: '/admin/v1/partners/{id}/postbacks',
      operationId: 'listPostbacks',
      summary: 'List the postbacks of a partner',
      description: 'What the partner is told in all projects that override nothing.',
      auth: seePartner,
      parameters: [partnerId],
      responses: {
        200: answer('The templates.', closed({ postbacks: list(schemas.storedPostback) })),
        404: missing('Partner'),
      },
      handle: async (ctx, parts) => ({
        postbacks: await service.listPostbacks(parts.postgres, readPartnerId(ctx), headerSeal(parts), mayChangeIn(ctx)),
      }),
    }),
    operation({
      method: 'put',
      path: '/admin/v1/partners/{id}/postbacks/{event}',
      operationId: 'putPostback',
      summary: 'Set a postback of a partner',
      description: 'Makes or replaces the template of an event. One that is on is in use again.',
      auth: changePartner,
      parameters: [partnerId, event],
      body: json({ schema: schemas.postbackSchema, example: request, limit }),
      responses: { 200: answer('The template.', schemas.storedPostback), 400: badField, 404: missing('Partner') },
      handle: (ctx, parts, { readBody }) => {
        const given = readBody();
        const key = { partnerId: readPartnerId(ctx), event: readEvent(ctx) };
        return putInForce(parts, service.putPostback(parts.postgres, readActor(ctx), key, given, headerSeal(parts)));
      },
    }),
    operation({
      method: 'delete',
      path: '/admin/v1/partners/{id}/postbacks/{event}',
      operationId: 'deletePostback',
      summary: 'Delete a postback of a partner',
      description: 'What projects override stays.',
      auth: changePartner,
      parameters: [partnerId, event],
      responses: { 204: { description: 'It is deleted.' }, 400: badField, 404: missing('Postback') },
      handle: (ctx, parts) =>
        putInForce(parts, service.deletePostback(parts.postgres, readActor(ctx), readPartnerId(ctx), readEvent(ctx))),
    }),
    operation({
      method: 'get',
      path: '/admin/v1/projects/{id}/postback_overrides',
      operationId: 'listPostbackOverrides',
      summary: 'List what a project overrides',
      description: 'Of the postbacks of partners: requests of its own, and what is withheld.',
      auth: settings,
      parameters: [projectId],
      responses: {
        200: answer('The overrides.', closed({ postback_overrides: list(schemas.storedOverride) })),
        404: missing('Project'),
      },
      handle: async (ctx, parts) => ({
        postback_overrides: await service.listOverrides(parts.postgres, readProjectId(ctx), headerSeal(parts)),
      }),
    }),
    operation({
      method: 'put',
      path: '/admin/v1/projects/{id}/postback_overrides/{event}',
      operationId: 'putPostbackOverride',
      summary: 'Override a postback in a project',
      description:
        "Makes or replaces an override. Without `method` and `url` the partner's request is sent; with `enabled` " +
        'false nothing is sent.',
      auth: settings,
      parameters: [projectId, event, overridden],
      body: json({ schema: schemas.overrideSchema, example: { withhold: ['amounts'] }, limit }),
      responses: { 200: answer('The override.', schemas.storedOverride), 400: badField, 404: missing('Project') },
      handle: (ctx, parts, { readBody, readParameters }) => {
        const given = readBody();
        const key = readOverrideKey(ctx, readParameters());
        return putInForce(parts, service.putOverride(parts.postgres, readActor(ctx), key, given, headerSeal(parts)));
      },
    }),
    operation({
      method: 'delete',
      path: '/admin/v1/projects/{id}/postback_overrides/{event}',
      operationId: 'deletePostbackOverride',
      summary: 'Delete an override of a project',
      description: "The partner's own template counts again.",
      auth: settings,
      parameters: [projectId, event, overridden],
      responses: { 204: { description: 'It is deleted.' }, 400: badField, 404: missing('Postback override') },
      handle: (ctx, parts, { readParameters }) => {
        const key = readOverrideKey(ctx, readParameters());
        return putInForce(parts, service.deleteOverride(parts.postgres, readActor(ctx), key));
      },
    }),
    ...previews,
    ...secretOperations,
  ],
};

export const postbackRoutes = (parts: PostbacksParts): Router => createRoutes(postbacksApi, parts);
