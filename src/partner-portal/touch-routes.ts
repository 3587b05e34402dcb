/** What became of a click or impression, and samples of refused requests (docs/contract/partners.md). */
import type Router from '@koa/router';
import type { Context } from 'koa';
import type { RouterContext } from '@koa/router';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { administratorLimitKey, type Administrators } from '../http/administrators';
import { readCaller, type Access } from '../http/auth';
import { admin, serviceKey } from '../http/auth-schemes';
import { createRoutes, endpoints, type Auth, type EndpointSection } from '../http/endpoint';
import { readId } from '../http/ids';
import { withRateLimit } from '../http/limits';
import { choice, rowId, Type } from '../lib/schema';
import { missing, partnerId } from '../openapi/administration';
import {
  errorReply,
  limitParameter,
  queryParameter,
  rateLimited,
  reportUnavailable,
  required,
  type Parameter,
  type QueryParameter,
  type Response,
} from '../openapi/operation';
import { KINDS, MAX_REASON, MAX_SAMPLE, MAX_TID, REFUSED } from './touch-input';
import { presentRefusedPage, presentTouches } from './touch-presenter';
import { foundSchema, refusedPageSchema } from './touch-schema';
import { findRefused, findTouches, type Asker, type TouchOptions } from './touch-service';

export interface TouchParts extends TouchOptions {
  readonly admins: Administrators;
  readonly access: Access;
  /** For searches, by who asks. */
  readonly limiter: RateLimiterAbstract | undefined;
}

const operation = endpoints<TouchParts>();

/** Who may search. */
interface Side {
  readonly path: string;
  readonly name: string;
  readonly about: string;
  readonly side: 'partner' | 'project';
  readonly auth: Auth<TouchParts>;
  readonly parameters: readonly Parameter[];
  readonly filter: QueryParameter<'project_id' | 'partner_id', number | undefined>;
  readonly missing: Readonly<Record<number, Response>>;
  readonly find: (ctx: RouterContext) => Asker;
  readonly key: (ctx: Pick<Context, 'state'>) => string;
}

const sample = Type.Integer({ minimum: 1, maximum: MAX_SAMPLE });
const SIDES: readonly Side[] = [
  {
    path: '/admin/v1/partners/{id}',
    name: 'Partner',
    about: 'of a partner',
    side: 'partner',
    auth: admin.partner('partner'),
    parameters: [partnerId],
    filter: queryParameter('project_id', 'Project that they named, of those that work with the partner.', rowId),
    missing: { 404: missing('Partner') },
    find: (ctx) => ({ partner: readId(ctx.params.id, 'Partner') }),
    key: administratorLimitKey,
  },
  {
    path: '/api/v1',
    name: 'Own',
    about: 'of a project',
    side: 'project',
    auth: serviceKey('installs', { paid: true }),
    parameters: [],
    filter: queryParameter('partner_id', 'Partner that sent them.', rowId),
    missing: {},
    find: (ctx) => ({ project: readCaller(ctx).project.id }),
    key: (ctx) => readCaller(ctx).key,
  },
];

export const touchesApi: EndpointSection<TouchParts> = {
  tag: 'Touches',
  description: 'What became of a single click or impression, and what was refused.',
  operations: SIDES.flatMap(({ path, name, about, side, auth, parameters, filter, missing, find, key }) => [
    operation({
      method: 'get',
      path: `${path}/touches`,
      operationId: `find${name}Touches`,
      summary: `Tell what became of a click or impression ${about}`,
      description:
        'By its `tid`, or by the ID that its answer gave: when it was accepted, which installs considered it, and ' +
        'why it is credited or not; and samples of refused requests with that `tid`. The latest 20 of each.',
      auth,
      parameters: [
        ...parameters,
        required(
          queryParameter(
            'search',
            '`tid`, `click_id` or `impression_id`, exactly.',
            Type.String({ minLength: 1, maxLength: MAX_TID }),
            'touch-1',
          ),
        ),
      ],
      responses: {
        200: { description: 'What is known of it.', schema: foundSchema },
        400: errorReply(400, 'The parameter is missing or malformed.', 'search: is required'),
        ...missing,
        429: rateLimited,
        503: reportUnavailable,
      },
      handle: async (ctx, parts, { readParameters }) => {
        const { search } = readParameters();
        const found = await withRateLimit(parts.limiter, key(ctx), () => findTouches(parts, find(ctx), search));
        return presentTouches(found, side);
      },
    }),
    operation({
      method: 'get',
      path: `${path}/refused-requests`,
      operationId: `list${name}RefusedRequests`,
      summary: `List samples of refused requests ${about}`,
      description: 'The latest first: the last 100 of each partner and reason, of the last seven days.',
      auth,
      parameters: [
        ...parameters,
        filter,
        queryParameter('reason', 'Why they were refused.', Type.String({ maxLength: MAX_REASON }), 'unreplaced_macro'),
        queryParameter('kind', 'Endpoint.', choice(KINDS, { type: 'string' })),
        queryParameter('tid', 'As it was sent.', Type.String({ maxLength: MAX_TID })),
        queryParameter('id', 'One sample.', sample),
        limitParameter(REFUSED),
        queryParameter('before', '`next_before` of the page before.', sample),
      ],
      responses: {
        200: { description: 'The samples.', schema: refusedPageSchema },
        400: errorReply(400, 'A parameter is malformed.', 'limit: must be a whole number from 1 to 100'),
        ...missing,
        429: rateLimited,
      },
      handle: async (ctx, parts, { readParameters }) => {
        const input = readParameters();
        const rows = await withRateLimit(parts.limiter, key(ctx), () => findRefused(parts, find(ctx), input));
        return presentRefusedPage(rows, input.limit);
      },
    }),
  ]),
};

export const touchRoutes = (parts: TouchParts): Router => createRoutes(touchesApi, parts);
