/** The attribution endpoints for the OpenAPI document (docs/contract/attribution.md). */
import { Type, closed, list } from '../lib/schema';
import {
  envelope,
  errorReply,
  pageParameters,
  paginationSchema,
  rateLimited,
  suspended,
  type ApiSection,
  type Parameter,
} from '../openapi/operation';
import * as schema from './schema';

const timestamp = (name: string, description: string): Parameter => ({
  name,
  in: 'query',
  description,
  schema: Type.String({ format: 'date-time' }),
  example: '2026-03-01T00:00:00Z',
});

const installId: Parameter = {
  name: 'install_id',
  in: 'path',
  description: 'The installation, as its SDK names it.',
  schema: Type.String({ minLength: 1 }),
  example: 'install-1',
};

export const attributionApi: ApiSection = {
  tag: 'Attribution',
  description: 'Who is attributed to a campaign, and to what an install is attributed.',
  operations: [
    {
      method: 'get',
      path: '/api/v1/attributed-users',
      operationId: 'listAttributedUsers',
      summary: 'List the users attributed to a campaign',
      description: 'Installs and reinstalls, the latest first.',
      security: ['serviceKey'],
      parameters: [
        {
          name: 'display_id',
          in: 'query',
          description: "The campaign's display ID.",
          schema: Type.String(),
          required: true,
          example: 'AbC123',
        },
        timestamp('start_timestamp', 'Installs from then on.'),
        timestamp('end_timestamp', 'Installs before then.'),
        {
          name: 'timezone',
          in: 'query',
          description: 'Has no effect; timestamps carry their offset.',
          schema: Type.String(),
          example: 'UTC',
        },
        ...pageParameters(schema.usersLimits),
      ],
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
        401: errorReply(401, 'The key is missing or invalid.', 'Authentication failed.'),
        404: errorReply(404, 'The project has no such campaign.', 'Resource not found.'),
        422: errorReply(
          422,
          '`display_id` is missing, or `page` or `limit` is out of bounds.',
          'Required parameter missing.',
        ),
        429: rateLimited,
      },
    },
    {
      method: 'get',
      path: '/api/v1/get-attribution-result',
      operationId: 'getAttributionResult',
      summary: 'Get the attribution of a user or device',
      description:
        'Of its latest install. One of the two parameters is required; where they name different installs, the ' +
        'one of the user counts.',
      security: ['serviceKey'],
      parameters: [
        {
          name: 'device_identifier',
          in: 'query',
          description: 'Google advertising ID or Apple advertising identifier, in any case.',
          schema: Type.String(),
          example: '38400000-8cf0-11bd-b23e-10b96e40000d',
        },
        {
          name: 'user_id',
          in: 'query',
          description: "The user's identifier as sent at sign-up.",
          schema: Type.String(),
          example: 'user-1',
        },
      ],
      responses: {
        200: { description: 'The attribution.', schema: envelope(200, schema.resultSchema) },
        204: { description: 'No such install is known, or it is not decided yet.' },
        400: errorReply(400, 'Neither parameter is there.', 'Either device_identifier or user_id is required.'),
        401: errorReply(401, 'The key is missing or invalid.', 'Unauthorized access.'),
        429: rateLimited,
      },
    },
    {
      method: 'get',
      path: '/api/v1/installs/{install_id}/explanation',
      operationId: 'explainOwnInstall',
      summary: 'Explain the attribution of an install',
      description:
        'Every touch that was considered, with the rule that it would match, its window and what became of it: as ' +
        'decided, not as it would be now.',
      security: ['serviceKey'],
      parameters: [installId],
      responses: {
        200: { description: 'The decision and its candidates; the latest 100.', schema: schema.explanationSchema },
        401: errorReply(401, 'The key is missing or invalid.', 'Unauthorized access.'),
        402: suspended,
        404: errorReply(404, 'No such install was received.', 'Install not found.'),
        429: rateLimited,
      },
    },
    {
      method: 'get',
      path: '/admin/v1/projects/{id}/installs/{install_id}/explain',
      operationId: 'explainInstall',
      summary: 'Explain the attribution of an install',
      description:
        'Every touch that was considered, with the rule that it would match and what became of it: as decided, ' +
        'not as it would be now.',
      security: ['adminToken'],
      parameters: [
        { name: 'id', in: 'path', description: 'The project.', schema: Type.Integer({ minimum: 1 }), example: 1 },
        installId,
      ],
      responses: {
        200: { description: 'The decision and its candidates; the latest 100.', schema: schema.explanationSchema },
        401: errorReply(401, 'The admin token is missing or wrong.', 'Unauthorized access.'),
        404: errorReply(404, 'No such install was received.', 'Install not found.'),
      },
    },
  ],
};
