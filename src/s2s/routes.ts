/** The S2S endpoints over HTTP: three host forms each, JSON always, never a redirect (docs/contract/s2s.md). */
import type { Context, Middleware } from 'koa';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { ApiError } from '../errors';
import { readId } from '../http/ids';
import { readText } from '../http/body';
import { withRateLimit } from '../http/limits';
import { nameRoute } from '../http/observe';
import type { BrowserSessions } from '../http/session';
import type { Counter } from '../metrics/metrics';
import { NOT_ALLOWED, permissionsIn, roleIn } from '../http/permissions';
import { parseQueryString } from '../lib/query-string';
import { nextSlice, Slice } from '../lib/slices';
import { INVALID_RECORD, type BatchIngest, type RecordOutcome } from './batch';
import { MAX_BODY, MAX_TRIED } from './batch-input';
import { BatchTurns } from './batch-turns';
import { DEFINITIONS, type Definition } from './definitions';
import { REJECTIONS, type Reason } from './reasons';
import { UNAVAILABLE, type Ingest } from './service';
import type { TrialResult, TryBatch, TryOut } from './trial';

/** Where requests are tried out. */
const TRIALS = '/v1/validate/';
/** Where many records are sent at once. */
export const BATCH_PATH = '/v1/batch';
/** Where many are tried out. */
export const BATCH_TRIAL_PATH = `${TRIALS}batch`;

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
  readonly batches: BatchIngest;
  readonly tryOut: TryOut;
  readonly tryBatch: TryBatch;
  readonly sessions: BrowserSessions;
  /** For trials, by partner. */
  readonly trialLimiter: RateLimiterAbstract | undefined;
  readonly count: Counter<'endpoint' | 'outcome'>;
}

/**
 * Answers all requests under /v1. They are matched by hand and not by a router: they take most of the traffic, and a
 * router's layers would cost more than the checks.
 */
export function s2sRoutes(options: S2sRouteOptions): Middleware {
  const { ingest, batches, tryOut, sessions, trialLimiter, count } = options;
  const accepted = Object.fromEntries(
    DEFINITIONS.map(({ kind, path }) => [kind, count.labels({ endpoint: path, outcome: 'accepted' })]),
  ) as Record<Definition['kind'], Counter.Internal>;
  const routes = Object.fromEntries(DEFINITIONS.map(({ kind, path }) => [kind, `/v1/${path}/:app_id`])) as Record<
    Definition['kind'],
    string
  >;
  const turns = new BatchTurns();
  const countOutcome = (outcome: RecordOutcome) => {
    if ('id' in outcome) accepted[outcome.definition.kind].inc();
    else count.inc({ endpoint: outcome.definition?.path ?? 'batch', outcome: outcome.reason });
  };
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
    if (path === BATCH_PATH) {
      mustBe(ctx, 'POST');
      nameRoute(ctx.res, BATCH_PATH);
      const token = readToken(ctx) || parseQueryString(query).get('svc_token');
      await answerBatch(ctx, { batches, turns, count: countOutcome }, token);
      return;
    }
    if (path === BATCH_TRIAL_PATH) {
      mustBe(ctx, 'POST');
      await answerBatchTrial(ctx, options, readToken(ctx) || parseQueryString(query).get('svc_token'));
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
    refuse(ctx, outcome);
  };
}

function refuse(ctx: Context, { reason, retryAfter }: { reason: Reason; retryAfter?: number }): void {
  ctx.status = REJECTIONS[reason].status;
  if (retryAfter) ctx.set('Retry-After', String(retryAfter));
  ctx.body = { status: 'rejected', reason };
}

interface BatchParts {
  readonly batches: BatchIngest;
  readonly turns: BatchTurns;
  readonly count: (outcome: RecordOutcome) => void;
}

/** Answers a batch: for the whole of it who may not send, and 200 with the outcome of each record otherwise. */
async function answerBatch(
  ctx: Context,
  { batches, turns, count }: BatchParts,
  token: string | undefined,
): Promise<void> {
  const sender = batches.admit(token);
  if ('reason' in sender) {
    count(sender);
    refuse(ctx, sender.reason === 'unavailable' ? UNAVAILABLE : sender);
    return;
  }
  await turns.run(sender.partnerId, async () => {
    const body = await readText(ctx, MAX_BODY, 'Invalid body.');
    await writeOutcomes(ctx, await batches.take(sender, ctx.get('Content-Type'), body), count);
  });
}

/** What each record of a batch would be answered, in order; 401 without a good token, and for who is signed in not. */
async function answerBatchTrial(
  ctx: Context,
  { tryBatch, sessions, trialLimiter }: S2sRouteOptions,
  token: string | undefined,
): Promise<void> {
  const sender = tryBatch.admit(token, await partnerWhoAsks(ctx, sessions));
  if ('reason' in sender) {
    refuse(ctx, sender.reason === 'unavailable' ? UNAVAILABLE : sender);
    return;
  }
  const body = await readText(ctx, MAX_TRIED.body, 'Invalid body.');
  const results = await withRateLimit(trialLimiter, sender.partnerId, () =>
    tryBatch.run(sender.partnerId, ctx.get('Content-Type'), body),
  );
  const accepted = results.filter(({ outcome }) => outcome === 'accepted').length;
  ctx.body = { accepted, rejected: results.length - accepted, results };
}

/** In slices: 10,000 outcomes at once would hold up everybody else. */
async function writeOutcomes(
  ctx: Context,
  outcomes: readonly RecordOutcome[],
  count: (outcome: RecordOutcome) => void,
): Promise<void> {
  await nextSlice();
  const slice = new Slice();
  const results: string[] = [];
  let accepted = 0;
  for (const outcome of outcomes) {
    await slice.rest();
    count(outcome);
    if ('id' in outcome) accepted += 1;
    results.push(JSON.stringify(present(outcome)));
  }
  ctx.type = 'json';
  ctx.body = `{"accepted":${accepted},"rejected":${outcomes.length - accepted},"results":[${results.join(',')}]}`;
}

const present = (outcome: RecordOutcome) =>
  'id' in outcome
    ? { status: 'accepted', [outcome.definition.idColumn]: outcome.id }
    : {
        status: 'rejected',
        code: outcome.reason === INVALID_RECORD ? 400 : REJECTIONS[outcome.reason].status,
        reason: outcome.reason,
        ...(outcome.retryAfter !== undefined && { retry_after: outcome.retryAfter }),
      };

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
