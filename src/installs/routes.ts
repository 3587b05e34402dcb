/** Single installs, the latest first, and the events of one (docs/contract/attribution.md). */
import type Router from '@koa/router';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { readCaller, type Access } from '../http/auth';
import { serviceKey } from '../http/auth-schemes';
import { createRoutes, endpoints, type EndpointSection } from '../http/endpoint';
import { withRateLimit } from '../http/limits';
import { Type } from '../lib/schema';
import { errorReply, limitParameter, pathParameter, rateLimited } from '../openapi/operation';
import { listParameters, toListInput } from './input';
import { EVENT_LIMITS, eventsSchema, installsSchema } from './schema';
import { listEvents, listInstalls, type Engines } from './service';

export interface InstallsParts extends Engines {
  readonly limiter: RateLimiterAbstract | undefined;
  readonly access: Access;
}

const operation = endpoints<InstallsParts>();

const auth = serviceKey('installs', { paid: true });

/** In order: the key, billing, the parameters, the limit of the key, then the work. */
export const installsApi: EndpointSection<InstallsParts> = {
  tag: 'Installs',
  description: 'Single installs of a project.',
  operations: [
    operation({
      method: 'get',
      path: '/api/v1/installs',
      operationId: 'listInstalls',
      summary: 'List installs, the latest first',
      description:
        'Live: an install is listed within a second or two, before it is decided. Filters on the decision leave out ' +
        'what is not decided.',
      auth,
      parameters: listParameters,
      responses: {
        200: { description: 'A page of installs.', schema: installsSchema },
        400: errorReply(400, 'A parameter is wrong.', 'limit: must be a whole number from 1 to 200'),
        404: errorReply(404, 'The project has no such campaign.', 'Campaign not found.'),
        429: rateLimited,
      },
      handle: (ctx, parts, { readParameters }) => {
        const { project, key } = readCaller(ctx);
        const input = toListInput(readParameters());
        return withRateLimit(parts.limiter, key, () => listInstalls(parts, parts.access.snapshot, project.id, input));
      },
    }),
    operation({
      method: 'get',
      path: '/api/v1/installs/{install_id}/events',
      operationId: 'listInstallEvents',
      summary: 'List the events of an install, the latest first',
      description: 'The install event itself is one of them.',
      auth,
      parameters: [
        pathParameter(
          'install_id',
          'The installation, as its SDK names it.',
          Type.String({ minLength: 1 }),
          'install-1',
        ),
        limitParameter(EVENT_LIMITS, 'Events in the answer.'),
      ],
      responses: {
        200: { description: 'The latest events, and how many there are.', schema: eventsSchema },
        400: errorReply(400, 'The limit is wrong.', 'limit: must be a whole number from 1 to 1000'),
        404: errorReply(404, 'No such install was received.', 'Install not found.'),
        429: rateLimited,
      },
      handle: (ctx, parts, { readParameters }) => {
        const { project, key } = readCaller(ctx);
        const { limit } = readParameters();
        const install = ctx.params.install_id;
        return withRateLimit(parts.limiter, key, () => listEvents(parts, project.id, install, limit));
      },
    }),
  ],
};

export const installRoutes = (parts: InstallsParts): Router => createRoutes(installsApi, parts);
