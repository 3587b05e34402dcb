/** Single installs for the OpenAPI document (docs/contract/attribution.md). */
import { errorReply, rateLimited, suspended, type ApiSection, type Parameter } from '../openapi/operation';
import { Type } from '../lib/schema';
import { EVENT_LIMITS, eventsSchema, installsSchema, LIMITS } from './schema';

const query = (name: string, description: string, schema: Parameter['schema'], example?: unknown): Parameter => ({
  name,
  in: 'query',
  description,
  schema,
  ...(example === undefined ? {} : { example }),
});
const day = Type.String({ format: 'date' });

export const installsApi: ApiSection = {
  tag: 'Installs',
  description: 'Single installs of a project.',
  operations: [
    {
      method: 'get',
      path: '/api/v1/installs',
      operationId: 'listInstalls',
      summary: 'List installs, the latest first',
      description:
        'Live: an install is listed within a second or two, before it is decided. Filters on the decision leave out ' +
        'what is not decided.',
      security: ['serviceKey'],
      parameters: [
        query(
          'search',
          'ID of an install, advertising ID in any case, or identifier of a user.',
          Type.String({ maxLength: LIMITS.search }),
        ),
        query('from', "First day of installs, in the project's time zone.", day, '2026-01-01'),
        query('to', 'Last day.', day),
        query('display_id', 'Campaign that is credited.', Type.String({ maxLength: LIMITS.displayId })),
        query('partner_id', 'Partner that is credited.', Type.Integer({ minimum: 1 })),
        query('organic', '`true`: organic installs only; `false`: all others.', Type.Boolean()),
        query('suspicious', '`true`: suspicious installs only; `false`: all others.', Type.Boolean()),
        query(
          'limit',
          'Installs on a page.',
          Type.Integer({ minimum: 1, maximum: LIMITS.maximum, default: LIMITS.default }),
          LIMITS.default,
        ),
        query('before', '`next_before` of the page before.', Type.String()),
      ],
      responses: {
        200: { description: 'A page of installs.', schema: installsSchema },
        400: errorReply(400, 'A parameter is wrong.', 'limit: must be a whole number from 1 to 200'),
        401: errorReply(401, 'The key is missing or invalid.', 'Unauthorized access.'),
        402: suspended,
        404: errorReply(404, 'The project has no such campaign.', 'Campaign not found.'),
        429: rateLimited,
      },
    },
    {
      method: 'get',
      path: '/api/v1/installs/{install_id}/events',
      operationId: 'listInstallEvents',
      summary: 'List the events of an install, the latest first',
      description: 'The install event itself is one of them.',
      security: ['serviceKey'],
      parameters: [
        {
          name: 'install_id',
          in: 'path',
          description: 'The installation, as its SDK names it.',
          schema: Type.String({ minLength: 1 }),
          example: 'install-1',
        },
        query(
          'limit',
          'Events in the answer.',
          Type.Integer({ minimum: 1, maximum: EVENT_LIMITS.maximum, default: EVENT_LIMITS.default }),
          EVENT_LIMITS.default,
        ),
      ],
      responses: {
        200: { description: 'The latest events, and how many there are.', schema: eventsSchema },
        400: errorReply(400, 'The limit is wrong.', 'limit: must be a whole number from 1 to 1000'),
        401: errorReply(401, 'The key is missing or invalid.', 'Unauthorized access.'),
        402: suspended,
        404: errorReply(404, 'No such install was received.', 'Install not found.'),
        429: rateLimited,
      },
    },
  ],
};
