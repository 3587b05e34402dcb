/** The attribution endpoints (docs/contract/attribution.md), and why an install was credited as it was. */
import type Router from '@koa/router';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import type { Administrators } from '../http/administrators';
import { readCaller, type Access } from '../http/auth';
import { admin, serviceKey } from '../http/auth-schemes';
import { createRoutes, endpoints, type EndpointSection } from '../http/endpoint';
import { readId } from '../http/ids';
import { withRateLimit } from '../http/limits';
import { closed, list, Type } from '../lib/schema';
import { envelope, errorReply, paginationSchema, pathParameter, rateLimited } from '../openapi/operation';
import { resultParameters, toResultInput, toUsersInput, usersParameters } from './input';
import * as schema from './schema';
import { explainInstall, findAttribution, listAttributedUsers, type Engines } from './service';

export interface AttributionParts extends Engines {
  readonly access: Access;
  readonly admins: Administrators;
  /** The limit of data endpoints, by key. */
  readonly data: RateLimiterAbstract | undefined;
}

const operation = endpoints<AttributionParts>();

const installId = pathParameter(
  'install_id',
  'The installation, as its SDK names it.',
  Type.String({ minLength: 1 }),
  'install-1',
);
const explained = {
  200: { description: 'The decision and its candidates; the latest 100.', schema: schema.explanationSchema },
  404: errorReply(404, 'No such install was received.', 'Install not found.'),
};

/** In order: the key, the parameters, the limit of the key, then the work (docs/contract/main-api.md). */
export const attributionApi: EndpointSection<AttributionParts> = {
  tag: 'Attribution',
  description: 'Who is attributed to a campaign, and to what an install is attributed.',
  operations: [
    operation({
      method: 'get',
      path: '/api/v1/attributed-users',
      operationId: 'listAttributedUsers',
      summary: 'List the users attributed to a campaign',
      description: 'Installs and reinstalls, the latest first.',
      auth: serviceKey('installs', {
        texts: { missing: 'Authentication failed.', invalid: 'Authentication failed.' },
      }),
      parameters: usersParameters,
      responses: {
        200: {
          description: 'A page of users.',
          schema: envelope(
            200,
            closed({
              total_users: Type.Integer({ minimum: 0 }),
              users: list(schema.userSchema),
              pagination: paginationSchema,
            }),
          ),
        },
        400: errorReply(400, 'A timestamp is not RFC 3339, or lacks its offset.', 'Invalid timestamp format.'),
        404: errorReply(404, 'The project has no such campaign.', 'Resource not found.'),
        422: errorReply(
          422,
          '`display_id` is missing, or `page` or `limit` is out of bounds.',
          'Required parameter missing.',
        ),
        429: rateLimited,
      },
      handle: async (ctx, parts, { readParameters }) => {
        const { project, key } = readCaller(ctx);
        const input = toUsersInput(readParameters());
        const { users, pagination } = await withRateLimit(parts.data, key, () =>
          listAttributedUsers(parts, parts.access.snapshot, project, input),
        );
        const msg = `${users.length} attributed users retrieved, page ${pagination.page} of ${pagination.pages}.`;
        return { msg, status: 200, data: { total_users: pagination.total, users, pagination } };
      },
    }),
    operation({
      method: 'get',
      path: '/api/v1/get-attribution-result',
      operationId: 'getAttributionResult',
      summary: 'Get the attribution of a user or device',
      description:
        'Of its latest install. One of the two parameters is required; where they name different installs, the ' +
        'one of the user counts.',
      auth: serviceKey('installs'),
      parameters: resultParameters,
      responses: {
        200: { description: 'The attribution.', schema: envelope(200, schema.resultSchema) },
        204: { description: 'No such install is known, or it is not decided yet.' },
        400: errorReply(400, 'Neither parameter is there.', 'Either device_identifier or user_id is required.'),
        429: rateLimited,
      },
      handle: async (ctx, parts, { readParameters }) => {
        const { project, key } = readCaller(ctx);
        const input = toResultInput(readParameters());
        const data = await withRateLimit(parts.data, key, () => findAttribution(parts, project, input));
        if (data) return { msg: 'Attribution result retrieved.', status: 200, data };
        ctx.status = 204;
      },
    }),
    operation({
      method: 'get',
      path: '/api/v1/installs/{install_id}/explanation',
      operationId: 'explainOwnInstall',
      summary: 'Explain the attribution of an install',
      description:
        'Every touch that was considered, with the rule that it would match, its window and what became of it: as ' +
        'decided, not as it would be now.',
      auth: serviceKey('installs', { paid: true }),
      parameters: [installId],
      responses: { ...explained, 429: rateLimited },
      handle: (ctx, parts) => {
        const { project, key } = readCaller(ctx);
        return withRateLimit(parts.data, key, () => explainInstall(parts, project.id, ctx.params.install_id));
      },
    }),
    operation({
      method: 'get',
      path: '/admin/v1/projects/{id}/installs/{install_id}/explain',
      operationId: 'explainInstall',
      summary: 'Explain the attribution of an install',
      description:
        'Every touch that was considered, with the rule that it would match and what became of it: as decided, ' +
        'not as it would be now.',
      auth: admin.project('installs'),
      parameters: [pathParameter('id', 'The project.'), installId],
      responses: explained,
      handle: (ctx, parts) => explainInstall(parts, readId(ctx.params.id, 'Project'), ctx.params.install_id),
    }),
  ],
};

export const attributionRoutes = (parts: AttributionParts): Router => createRoutes(attributionApi, parts);
