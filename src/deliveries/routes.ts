/** The log of postbacks and webhooks, replays and tests (docs/contract/postbacks.md). */
import type Router from '@koa/router';
import type { RouterContext } from '@koa/router';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import type { ConfigSnapshot } from '../configuration/config-snapshot';
import { ApiError, UnavailableError } from '../errors';
import { administratorLimitKey, type Administrators } from '../http/administrators';
import { admin } from '../http/auth-schemes';
import { createRoutes, endpoints, json, type Auth, type EndpointSection } from '../http/endpoint';
import { readId } from '../http/ids';
import { withRateLimit } from '../http/limits';
import { requestIdIn } from '../http/request-id';
import type { Log } from '../lib/log';
import { rowId } from '../lib/schema';
import { sha256 } from '../lib/secrets';
import { missing } from '../openapi/administration';
import {
  errorReply,
  pathParameter,
  rateLimited,
  reportUnavailable,
  type Parameter,
  type Response,
} from '../openapi/operation';
import {
  logParameters,
  partnerLogParameters,
  projectLogParameters,
  readPartnerTestInput,
  readReplayInput,
  readTestInput,
  toLogSelection,
} from './input';
import { presentReplayed } from './presenter';
import { replayMessages } from './replay';
import * as schema from './schema';
import { partnerExists, readPending, searchLog, type Whose } from './service';
import { testDestination, type TestEngines, type TestInput } from './testing';

export interface PostbackLogOptions extends TestEngines {
  readonly admins: Administrators;
  readonly snapshot: Pick<ConfigSnapshot, 'project' | 'partnerOfToken' | 'stale'>;
  /** For searches, replays and tests, each by who asks. */
  readonly limiters: Readonly<Record<'search' | 'replay' | 'test', RateLimiterAbstract | undefined>>;
  readonly log: Pick<Log, 'info'>;
}

interface PostbackLogParts extends PostbackLogOptions {
  /** Who is testing now. */
  readonly testing: Set<string>;
}

const operation = endpoints<PostbackLogParts>();

const projectParameter = pathParameter('id', 'ID of the project, as its list gives it.', rowId);
const partnerParameter = pathParameter('id', 'ID of the partner, as its list gives it.', rowId);

const malformed = errorReply(400, 'A parameter is wrong.', 'outcome: must be one of sent, retry, dead, dropped, test');
const noProject = missing('Project');
const noPartner = missing('Partner');
const testExample = { template: { method: 'GET', url: 'https://partner.example/pb?click={tid}' } };
const tested = (notFound: Response) => ({
  200: { description: 'What was sent, and what came of it.', schema: schema.testedSchema },
  400: errorReply(400, 'A field is missing or wrong.', 'template.url: there is no macro {clickid}'),
  404: notFound,
  429: rateLimited,
  503: reportUnavailable,
});

/** A partner by its own token, which `ctx.state` then has. */
const partnerToken: Auth<Pick<PostbackLogParts, 'snapshot'>> = {
  security: ['partnerToken'],
  guards: ({ snapshot }) => [
    async (ctx, next) => {
      const partner = snapshot.partnerOfToken(sha256(ctx.get('X-Service-Token').trim()));
      if (snapshot.stale) throw new UnavailableError();
      if (partner === undefined) throw new ApiError(401, 'Unauthorized access.');
      ctx.state.partner = partner;
      await next();
    },
  ],
  responses: { 401: errorReply(401, 'The token is missing or invalid.', 'Unauthorized access.') },
};

function findProject(ctx: RouterContext, { snapshot }: PostbackLogParts) {
  const project = snapshot.project(readId(ctx.params.id, 'Project'));
  if (!project) throw new ApiError(404, 'Project not found.');
  return { project: project.id };
}

async function findPartner(ctx: RouterContext, parts: PostbackLogParts) {
  const partner = readId(ctx.params.id, 'Partner');
  if (!(await partnerExists(parts, partner))) throw new ApiError(404, 'Partner not found.');
  return { partner };
}

/** One at a time for each caller, but for what is only looked at. */
async function test(ctx: RouterContext, parts: PostbackLogParts, whose: Whose, input: TestInput) {
  const { limiters, testing } = parts;
  const key = administratorLimitKey(ctx);
  if (input.dryRun) return withRateLimit(limiters.search, key, () => testDestination(parts, whose, input));
  if (testing.has(key)) throw new ApiError(429, 'A test is under way. Please wait for it.', { 'Retry-After': '1' });
  testing.add(key);
  try {
    return await withRateLimit(limiters.test, key, () => testDestination(parts, whose, input));
  } finally {
    testing.delete(key);
  }
}

/** The log, for each who may look at it. */
interface Side {
  readonly path: string;
  readonly name: string;
  readonly about: string;
  readonly side: 'project' | 'partner';
  readonly auth: Auth<PostbackLogParts>;
  readonly parameters: readonly Parameter[];
  readonly filters: typeof projectLogParameters | typeof partnerLogParameters;
  readonly missing: Readonly<Record<number, Response>>;
  readonly find: (ctx: RouterContext, parts: PostbackLogParts) => Whose | Promise<Whose>;
  readonly key: (ctx: RouterContext) => string;
}

const SIDES: readonly Side[] = [
  {
    path: '/admin/v1/projects/{id}/postbacks',
    name: 'Project',
    about: 'of a project',
    side: 'project',
    auth: admin.project('installs'),
    parameters: [projectParameter],
    filters: projectLogParameters,
    missing: { 404: noProject },
    find: findProject,
    key: administratorLimitKey,
  },
  {
    path: '/admin/v1/partners/{id}/postbacks',
    name: 'Partner',
    about: 'to a partner',
    side: 'partner',
    auth: admin.partner('partner'),
    parameters: [partnerParameter],
    filters: partnerLogParameters,
    missing: { 404: noPartner },
    find: findPartner,
    key: administratorLimitKey,
  },
  {
    path: '/v1/postbacks',
    name: 'Own',
    about: 'to the partner of the token',
    side: 'partner',
    auth: partnerToken,
    parameters: [],
    filters: partnerLogParameters,
    missing: {},
    find: (ctx) => ({ partner: ctx.state.partner as number }),
    key: (ctx) => `partner ${ctx.state.partner}`,
  },
];

const reads = SIDES.flatMap(({ path, name, about, side, auth, parameters, filters, missing, find, key }) => [
  operation({
    method: 'get',
    path: `${path}/log`,
    operationId: `search${name}Postbacks`,
    summary: `Search what was sent ${about}`,
    description: 'Attempts to deliver postbacks and webhooks, the latest first, of the last 90 days.',
    auth,
    parameters: [...parameters, ...logParameters, ...filters],
    responses: {
      200: { description: 'A page of attempts.', schema: schema.logSchema },
      400: malformed,
      ...missing,
      429: rateLimited,
      503: reportUnavailable,
    },
    handle: async (ctx, parts, { readParameters }) => {
      const query = readParameters();
      const code = query.display_id ?? '';
      const selection = { ...toLogSelection(query), ...(await find(ctx, parts)) };
      return withRateLimit(parts.limiters.search, key(ctx), () => searchLog(parts, side, selection, code));
    },
  }),
  operation({
    method: 'get',
    path: `${path}/pending`,
    operationId: `pending${name}Postbacks`,
    summary: `Say what waits to be sent ${about}`,
    description: 'By host, the one that has waited longest first.',
    auth,
    parameters,
    responses: { 200: { description: 'What waits.', schema: schema.pendingSchema }, ...missing, 429: rateLimited },
    handle: async (ctx, parts) => {
      const whose = await find(ctx, parts);
      return withRateLimit(parts.limiters.search, key(ctx), () => readPending(parts, whose));
    },
  }),
]);

export const postbackLogApi: EndpointSection<PostbackLogParts> = {
  tag: 'Log of postbacks',
  description: 'What was sent to partners and advertisers, attempt by attempt; sending it once more; trying it out.',
  operations: [
    ...reads,
    operation({
      method: 'post',
      path: '/admin/v1/projects/{id}/postbacks/replay',
      operationId: 'replayPostbacks',
      summary: 'Send messages of a project once more',
      description:
        'One message by `postback_id`, or those about events received from day `from` to day `to` (UTC), at most 31 ' +
        'days. Under their own IDs, by the templates and webhooks as they are now. A dry run, unless `dry_run` is ' +
        'false, says how many. A request works for some 10 seconds at most: with `next` in the answer there is more.',
      auth: admin.project('settings'),
      parameters: [projectParameter],
      body: json({
        schema: schema.replaySchema,
        example: { from: '2026-03-01', to: '2026-03-01', outcome: 'dead', partner_id: 1, dry_run: true },
        limit: '100kb',
        parse: readReplayInput,
      }),
      responses: {
        200: { description: 'How many messages.', schema: schema.replayedSchema, example: { would_send: 412 } },
        400: errorReply(400, 'A field is missing or wrong.', 'body: "postback_id", or "from" and "to", are required'),
        404: noProject,
        429: rateLimited,
        503: reportUnavailable,
      },
      handle: async (ctx, parts, { readBody }) => {
        const { project } = findProject(ctx, parts);
        const input = readBody();
        const asker = administratorLimitKey(ctx);
        const replayed = await withRateLimit(parts.limiters.replay, asker, () => replayMessages(parts, project, input));
        if (!input.dryRun)
          parts.log.info(
            { requestId: requestIdIn(ctx.res) },
            `Project ${project} sends ${replayed.messages} messages once more, as ${asker} asked`,
          );
        return presentReplayed(replayed, input.dryRun);
      },
    }),
    operation({
      method: 'post',
      path: '/admin/v1/projects/{id}/postbacks/test',
      operationId: 'testPostback',
      summary: 'Send one message as a test',
      description:
        'By a template, which need not be stored, or by a webhook; about the latest event of an install, else of the ' +
        'project, else with sample values. It has the header `X-Adtrail-Test: true`, is sent once, and is in the ' +
        'log as a test. One at a time. With `dry_run` the request is made and shown, and nothing is sent.',
      auth: admin.project('settings'),
      parameters: [projectParameter],
      body: json({ schema: schema.testSchema, example: testExample, limit: '100kb', parse: readTestInput }),
      responses: tested(
        errorReply(404, 'There is no such project, webhook, or install that is told of.', 'Webhook not found.'),
      ),
      handle: (ctx, parts, { readBody }) => {
        const whose = findProject(ctx, parts);
        return test(ctx, parts, whose, readBody());
      },
    }),
    operation({
      method: 'post',
      path: '/admin/v1/partners/{id}/postbacks/test',
      operationId: 'testPostbackOfPartner',
      summary: 'Send one message as a test, with sample values',
      description: 'As of a project, by a template; `project` of the attempt is null in the log.',
      auth: admin.partner('partner-postbacks'),
      parameters: [partnerParameter],
      body: json({
        schema: schema.partnerTestSchema,
        example: testExample,
        limit: '100kb',
        parse: readPartnerTestInput,
      }),
      responses: tested(noPartner),
      handle: async (ctx, parts, { readBody }) => {
        const whose = await findPartner(ctx, parts);
        return test(ctx, parts, whose, readBody());
      },
    }),
  ],
};

/** Names what it is given: the tests make routes of a stand-in that has no own properties. */
export const postbackLogRoutes = ({ admins, snapshot, ...options }: PostbackLogOptions): Router =>
  createRoutes(postbackLogApi, { ...options, admins, snapshot, testing: new Set<string>() });
