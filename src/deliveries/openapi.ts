/** The log of postbacks and webhooks for the OpenAPI document (docs/contract/postbacks.md). */
import {
  errorReply,
  rateLimited,
  reportUnavailable,
  tooLarge,
  type ApiSection,
  type Operation,
  type Parameter,
} from '../openapi/operation';
import { choice, Type, type TSchema } from '../lib/schema';
import {
  ID,
  KINDS,
  LIMITS,
  logSchema,
  OUTCOMES,
  pendingSchema,
  replayedSchema,
  replaySchema,
  partnerTestSchema,
  testedSchema,
  testSchema,
} from './schema';

const id = Type.Integer({ minimum: ID.min, maximum: ID.max });
const day = Type.String({ format: 'date' });
const query = (name: string, description: string, schema: TSchema, example?: unknown): Parameter => ({
  name,
  in: 'query',
  description,
  schema,
  ...(example === undefined ? {} : { example }),
});
const idParameter = (what: string): Parameter => ({
  name: 'id',
  in: 'path',
  description: `ID of the ${what}, as its list gives it.`,
  schema: id,
  example: 1,
});

const filters: readonly Parameter[] = [
  query('install_id', 'The install that was told of.', Type.String({ maxLength: LIMITS.id })),
  query('tid', 'ID of the credited touch, as its partner sent it.', Type.String({ maxLength: LIMITS.id })),
  query('postback_id', 'One message: all its attempts.', Type.String({ format: 'uuid' })),
  query('destination', 'Host, with the port where it has one.', Type.String({ maxLength: LIMITS.host })),
  query('kind', 'To partners, or to the advertiser.', choice(KINDS, { type: 'string' })),
  query('event', '`install`, ..., or `event:<name>`.', Type.String({ maxLength: LIMITS.event }), 'install'),
  query('outcome', 'What came of the attempt.', choice(OUTCOMES, { type: 'string' })),
  query('from', 'First day of attempts, UTC.', day, '2026-03-01'),
  query('to', 'Last day, UTC.', day),
  query(
    'limit',
    'Attempts on a page.',
    Type.Integer({ minimum: 1, maximum: LIMITS.maximum, default: LIMITS.default }),
    LIMITS.default,
  ),
  query('before', '`next_before` of the page before.', Type.String()),
];
const ofProject = [
  query('partner_id', 'Partner that was told.', id),
  query('webhook_id', 'Webhook that was sent.', id),
];
const ofPartner = [query('project_id', 'Project of the install.', id)];

const malformed = errorReply(400, 'A parameter is wrong.', 'outcome: must be one of sent, retry, dead, dropped, test');
const unauthorized = errorReply(401, 'The admin token is missing or wrong.', 'Unauthorized access.');
const unauthorizedToken = errorReply(401, 'The token is missing or invalid.', 'Unauthorized access.');

/** What a test takes and answers; 404 says what there may not be. */
const tried = (schema: typeof testSchema | typeof partnerTestSchema, missing: string, msg: string) => ({
  body: { schema, example: { template: { method: 'GET', url: 'https://partner.example/pb?click={tid}' } } },
  responses: {
    200: { description: 'What was sent, and what came of it.', schema: testedSchema },
    400: errorReply(400, 'A field is missing or wrong.', 'template.url: there is no macro {clickid}'),
    401: unauthorized,
    404: errorReply(404, missing, msg),
    413: tooLarge('100kb'),
    429: rateLimited,
    503: reportUnavailable,
  },
});

const WHOSE = {
  project: {
    path: '/admin/v1/projects/{id}/postbacks',
    name: 'Project',
    of: 'of a project',
    security: ['adminToken'],
    parameters: [idParameter('project')],
    filters: ofProject,
    responses: { 401: unauthorized, 404: errorReply(404, 'There is no such project.', 'Project not found.') },
  },
  partner: {
    path: '/admin/v1/partners/{id}/postbacks',
    name: 'Partner',
    of: 'to a partner',
    security: ['adminToken'],
    parameters: [idParameter('partner')],
    filters: ofPartner,
    responses: { 401: unauthorized, 404: errorReply(404, 'There is no such partner.', 'Partner not found.') },
  },
  token: {
    path: '/v1/postbacks',
    name: 'Own',
    of: 'to the partner of the token',
    security: ['partnerToken'],
    parameters: [],
    filters: ofPartner,
    responses: { 401: unauthorizedToken },
  },
} as const;

const reads = Object.values(WHOSE).flatMap(({ path, name, of, security, parameters, filters: more, responses }) => [
  {
    method: 'get',
    path: `${path}/log`,
    operationId: `search${name}Postbacks`,
    summary: `Search what was sent ${of}`,
    description: 'Attempts to deliver postbacks and webhooks, the latest first, of the last 90 days.',
    security,
    parameters: [...parameters, ...filters, ...more],
    responses: {
      ...responses,
      200: { description: 'A page of attempts.', schema: logSchema },
      400: malformed,
      429: rateLimited,
      503: reportUnavailable,
    },
  } satisfies Operation,
  {
    method: 'get',
    path: `${path}/pending`,
    operationId: `pending${name}Postbacks`,
    summary: `Say what waits to be sent ${of}`,
    description: 'By host, the one that has waited longest first.',
    security,
    parameters,
    responses: { ...responses, 200: { description: 'What waits.', schema: pendingSchema }, 429: rateLimited },
  } satisfies Operation,
]);

export const postbackLogApi: ApiSection = {
  tag: 'Log of postbacks',
  description: 'What was sent to partners and advertisers, attempt by attempt; sending it once more; trying it out.',
  operations: [
    ...reads,
    {
      method: 'post',
      path: '/admin/v1/projects/{id}/postbacks/replay',
      operationId: 'replayPostbacks',
      summary: 'Send messages of a project once more',
      description:
        'One message by `postback_id`, or those about events received from day `from` to day `to` (UTC), at most 31 ' +
        'days. Under their own IDs, by the templates and webhooks as they are now. A dry run, unless `dry_run` is ' +
        'false, says how many. A request works for some 10 seconds at most: with `next` in the answer there is more.',
      security: ['adminToken'],
      parameters: [idParameter('project')],
      body: {
        schema: replaySchema,
        example: { from: '2026-03-01', to: '2026-03-01', outcome: 'dead', partner_id: 1, dry_run: true },
      },
      responses: {
        200: { description: 'How many messages.', schema: replayedSchema, example: { would_send: 412 } },
        400: errorReply(400, 'A field is missing or wrong.', 'body: "postback_id", or "from" and "to", are required'),
        401: unauthorized,
        404: errorReply(404, 'There is no such project.', 'Project not found.'),
        413: tooLarge('100kb'),
        429: rateLimited,
        503: reportUnavailable,
      },
    },
    {
      method: 'post',
      path: '/admin/v1/projects/{id}/postbacks/test',
      operationId: 'testPostback',
      summary: 'Send one message as a test',
      description:
        'By a template, which need not be stored, or by a webhook; about the latest event of an install, else of the ' +
        'project, else with sample values. It has the header `X-Adtrail-Test: true`, is sent once, and is in the ' +
        'log as a test. One at a time. With `dry_run` the request is made and shown, and nothing is sent.',
      security: ['adminToken'],
      parameters: [idParameter('project')],
      ...tried(testSchema, 'There is no such project, webhook, or install that is told of.', 'Webhook not found.'),
    },
    {
      method: 'post',
      path: '/admin/v1/partners/{id}/postbacks/test',
      operationId: 'testPostbackOfPartner',
      summary: 'Send one message as a test, with sample values',
      description: 'As of a project, by a template; `project` of the attempt is null in the log.',
      security: ['adminToken'],
      parameters: [idParameter('partner')],
      ...tried(partnerTestSchema, 'There is no such partner.', 'Partner not found.'),
    },
  ],
};
