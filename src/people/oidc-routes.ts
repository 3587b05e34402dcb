/** `/auth/v1/oidc`: the way to a provider of identities and back (docs/contract/people.md). */
import type Router from '@koa/router';
import type { Context } from 'koa';
import type { Postgres } from '../db/postgres';
import { ApiError } from '../errors';
import { anybody } from '../http/auth-schemes';
import { createRoutes, endpoints } from '../http/endpoint';
import { CODE_MISSING, type Guesses } from '../http/guesses';
import type { Person } from '../http/permissions';
import type { BrowserSessions } from '../http/session';
import { readSafePath } from '../lib/safe-path';
import { Type } from '../lib/schema';
import type { Seal } from '../lib/seal';
import { errorReply, queryParameter } from '../openapi/operation';
import { answers, body, wrongProof } from './described';
import { describeMe } from './me';
import { signInAs, type Oidc, type Pending, type Vouched } from './oidc';
import { codeSchema, meSchema } from './schema';
import { findPerson } from './sessions';

const COOKIE = 'adtrail_oidc';
const PATH = '/auth/v1/oidc';
const LASTS_MS = 10 * 60_000;

export interface OidcParts {
  readonly postgres: Postgres;
  readonly sessions: BrowserSessions;
  readonly guesses: Guesses;
  readonly oidc: Oidc;
  /** Seals what the browser keeps meanwhile. */
  readonly seal: Seal;
  /** Seals second factors. */
  readonly factorSeal: Seal;
  readonly now: () => number;
}

const operation = endpoints<OidcParts>();

const noProvider = errorReply(404, 'No provider of identities is set up.', 'Not found.');

export const oidcOperations = [
  operation({
    method: 'get',
    path: `${PATH}/start`,
    operationId: 'startOidc',
    summary: 'Sign in through the provider of identities',
    description: 'For browsers: leads to the provider, and back to the page `to`. 404 where no provider is set up.',
    auth: anybody,
    parameters: [queryParameter('to', 'A path of this service.', Type.String())],
    responses: answers(302, undefined, { 404: noProvider }),
    handle: async (ctx, parts, { readParameters }) => {
      const redirectUri = `${parts.sessions.origin(ctx)}${PATH}/callback`;
      const { url, pending } = await parts.oidc.begin(redirectUri, readSafePath(readParameters().to ?? null));
      keep(ctx, parts, { pending });
      leadTo(ctx, url);
    },
  }),
  operation({
    method: 'get',
    path: `${PATH}/callback`,
    operationId: 'finishOidc',
    summary: 'Come back from the provider',
    description:
      'Sets the cookie of a session and leads to the page that was asked for; else to the sign-in page, with ' +
      '`error`, or with `step=code` where the person has a second factor.',
    auth: anybody,
    responses: answers(302, undefined, { 404: noProvider }),
    handle: async (ctx, parts) => leadTo(ctx, await arrive(ctx, parts)),
  }),
  operation({
    method: 'post',
    path: `${PATH}/code`,
    operationId: 'finishOidcWithCode',
    summary: 'Say the code of the second factor after the provider',
    description: 'Within ten minutes of coming back, in the same browser. Sets the cookie of a session.',
    auth: anybody,
    body: body(codeSchema, { code: '123456' }),
    responses: answers(200, meSchema, { 401: wrongProof, 404: noProvider }),
    handle: async (ctx, parts, { readBody }) => {
      const { postgres, sessions, now } = parts;
      sessions.refuseOtherSites(ctx);
      const { code } = readBody();
      const cookie = await signIn(ctx, parts, readKept(ctx, parts, 'vouched').vouched, code);
      sessions.setCookie(ctx, COOKIE, null, 0);
      return describeMe(postgres, (await findPerson(postgres, cookie, now())) as Person);
    },
  }),
];

export const oidcRoutes = (parts: OidcParts): Router => createRoutes({ operations: oidcOperations }, parts);

/** What a browser keeps on its way: what the provider's answer has to fit, then for whom a code is to be said. */
type Kept = { readonly pending: Pending } | { readonly vouched: Vouched };

function keep(ctx: Context, { sessions, seal, now }: OidcParts, what: Kept): void {
  const kept = seal.seal(JSON.stringify({ ...what, until: now() + LASTS_MS }));
  sessions.setCookie(ctx, COOKIE, encodeURIComponent(kept), LASTS_MS);
}

/** @throws ApiError 401 for what was not made here, is of another step, or is too old. */
function readKept<Step extends 'pending' | 'vouched'>(
  ctx: Context,
  { sessions, seal, now }: OidcParts,
  step: Step,
): Extract<Kept, Record<Step, unknown>> {
  try {
    const text = seal.open(decodeURIComponent(sessions.cookie(ctx, COOKIE) ?? ''));
    const kept = JSON.parse(text) as Kept & { until: number };
    if (kept.until > now() && step in kept) return kept as unknown as Extract<Kept, Record<Step, unknown>>;
  } catch {
    // Answered below.
  }
  throw new ApiError(401, 'Signing in took too long. Please try again.');
}

function leadTo(ctx: Context, url: string): void {
  ctx.status = 302;
  ctx.set('Location', url);
  ctx.body = '';
}

async function signIn(ctx: Context, parts: OidcParts, who: Vouched, code?: string): Promise<string> {
  const { postgres, sessions, guesses, factorSeal, now } = parts;
  const browser = sessions.browser(ctx);
  const checking = { seal: factorSeal, now: now() };
  const cookie = await signInAs(postgres, who, code, browser, guesses.guardCode(ctx), checking);
  sessions.set(ctx, cookie, who.email);
  return cookie;
}

/** Begins the session; the page to go to: of who may not come in, or not yet, the sign-in page, which says so. */
async function arrive(ctx: Context, parts: OidcParts): Promise<string> {
  const { sessions, oidc } = parts;
  try {
    const { pending } = readKept(ctx, parts, 'pending');
    sessions.setCookie(ctx, COOKIE, null, 0);
    const who = await oidc.finish(new URL(`${sessions.origin(ctx)}${ctx.url}`), pending);
    return await signIn(ctx, parts, who).then(
      () => pending.to,
      (error: unknown) => {
        if (!(error instanceof ApiError) || error.message !== CODE_MISSING) throw error;
        keep(ctx, parts, { vouched: who });
        return `/sign-in?step=code&to=${encodeURIComponent(pending.to)}`;
      },
    );
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error;
    return `/sign-in?error=${error.status === 403 ? 'uninvited' : 'provider'}`;
  }
}
