/** The S2S endpoints over HTTP: three host forms each, JSON always, never a redirect (docs/contract/s2s.md). */
import type { Context, Middleware } from 'koa';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { ApiError } from '../errors';
import { readId } from '../http/ids';
import { withRateLimit } from '../http/limits';
import { nameRoute } from '../http/observe';
import type { BrowserSessions } from '../http/session';
import type { Counter } from '../metrics/metrics';
import { NOT_ALLOWED, permissionsIn, roleIn } from '../http/permissions';
import { DEFINITIONS, type Definition } from './definitions';
import { REJECTIONS } from './reasons';
import type { Ingest } from './service';
import type { TrialResult, TryOut } from './trial';

/** Where requests are tried out. */
const TRIALS = '/v1/validate/';

const byPath = new Map(DEFINITIONS.map((definition) => [definition.path, definition]));

/** The endpoint that a path names, and the app ID in it. */
export function matchPath(path: string): { definition: Definition; appId: string | undefined } | undefined {
  const match = /^\/v1\/(click|impression|ctv\/impression)(?:\/([^/]*))?$/.exec(path);
  const definition = match && byPath.get(match[1] as string);
  return definition ? { definition, appId: match[2] && decodePathSegment(match[2]) } : undefined;
}

/** Percent-decodes as a query string is decoded, but a plus stays a plus. */
function decodePathSegment(segment: string): string {
  if (!segment.includes('%')) return segment;
  return new URLSearchParams(`=${segment.replaceAll('+', '%2B')}`).get('') ?? '';
}

/** The endpoint that a path tries out: that of the same path without `/validate`. */
const matchTrial = (path: string) =>
  path.startsWith(TRIALS) ? matchPath(`/v1/${path.slice(TRIALS.length)}`) : undefined;

export interface S2sRouteOptions {
  readonly ingest: Ingest;
  readonly tryOut: TryOut;
  readonly sessions: BrowserSessions;
  /** For trials, by partner. */
  readonly trialLimiter: RateLimiterAbstract | undefined;
  readonly count: Counter<'endpoint' | 'outcome'>;
}

/**
 * Answers all requests under /v1. They are matched by hand and not by a router: they take most of the traffic, and a
 * router's layers would cost more than the checks.
 */
export function s2sRoutes({ ingest, tryOut, sessions, trialLimiter, count }: S2sRouteOptions): Middleware {
  const accepted = Object.fromEntries(
    DEFINITIONS.map(({ kind, path }) => [kind, count.labels({ endpoint: path, outcome: 'accepted' })]),
  ) as Record<Definition['kind'], Counter.Internal>;
  const routes = Object.fromEntries(DEFINITIONS.map(({ kind, path }) => [kind, `/v1/${path}/:app_id`])) as Record<
    Definition['kind'],
    string
  >;
  return async (ctx) => {
    const url = ctx.req.url as string;
    const mark = url.indexOf('?');
    const path = mark === -1 ? url : url.slice(0, mark);
    const query = mark === -1 ? '' : url.slice(mark + 1);
    const matched = matchPath(path);
    const trial = matched ? undefined : matchTrial(path);
    if (trial) {
      mustBe(ctx, 'POST');
      const { definition, appId } = trial;
      const partnerId = await partnerWhoAsks(ctx, sessions);
      await answerTrial(ctx, trialLimiter, tryOut(definition, appId, query, readToken(ctx), partnerId));
      return;
    }
    if (!matched) {
      ctx.throw(404);
      return;
    }
    const { definition, appId } = matched;
    nameRoute(ctx.res, routes[definition.kind]);
    mustBe(ctx, 'GET');
    const outcome = await ingest(definition, appId, query, readToken(ctx));
    if ('id' in outcome) {
      accepted[definition.kind].inc();
      ctx.body = { status: 'accepted', [definition.idColumn]: outcome.id };
      return;
    }
    count.inc({ endpoint: definition.path, outcome: outcome.reason });
    ctx.status = REJECTIONS[outcome.reason].status;
    if (outcome.retryAfter) ctx.set('Retry-After', String(outcome.retryAfter));
    ctx.body = { status: 'rejected', reason: outcome.reason };
  };
}

function mustBe(ctx: Context, method: string): void {
  if (ctx.method === method) return;
  ctx.set('Allow', method);
  ctx.throw(405);
}

function readToken({ req }: Context): string | undefined {
  const header = req.headers['x-service-token'];
  return typeof header === 'string' ? header.trim() : undefined;
}

/**
 * The partner of the header `partner-id`, for a person who is signed in and may act for it; undefined where a token
 * says who asks.
 */
async function partnerWhoAsks(ctx: Context, sessions: BrowserSessions): Promise<number | undefined> {
  const given = ctx.get('partner-id');
  const person = given === '' ? undefined : await sessions.person(ctx);
  if (!person) return undefined;
  const partner = readId(given, 'Partner');
  if (roleIn(person, { partner }) === undefined) throw new ApiError(404, 'Partner not found.');
  if (!permissionsIn(person, { partner }).includes('partner')) throw new ApiError(403, NOT_ALLOWED);
  return partner;
}

/** 200 for who may ask, whatever the request itself would get; 401 without a good token. */
async function answerTrial(
  ctx: Context,
  limiter: RateLimiterAbstract | undefined,
  { trial, partnerId }: TrialResult,
): Promise<void> {
  const answer = () => {
    if (trial.status === 401) ctx.status = 401;
    ctx.body = trial;
    return Promise.resolve();
  };
  await (partnerId === undefined ? answer() : withRateLimit(limiter, partnerId, answer));
}
