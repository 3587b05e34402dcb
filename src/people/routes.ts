/** `/auth/v1`: people, and of them signing in and the links that let a person in (docs/contract/people.md). */
import type Router from '@koa/router';
import type { Context } from 'koa';
import { anybody } from '../http/auth-schemes';
import { createRoutes, endpoints } from '../http/endpoint';
import type { Person } from '../http/permissions';
import { Type } from '../lib/schema';
import { sha256 } from '../lib/secrets';
import { errorReply, type ApiSection } from '../openapi/operation';
import { answers, body, example, wrongProof } from './described';
import { followLink, lookAtLink } from './links';
import { describeMe } from './me';
import { meOperations, type MeParts } from './me-routes';
import { memberOperations, type MembersParts } from './members-routes';
import { oidcOperations } from './oidc-routes';
import * as queries from './queries';
import * as schema from './schema';
import { findPerson } from './sessions';
import { canonicalEmail, signIn } from './signing-in';

export interface PeopleParts extends MeParts, MembersParts {
  /** The name of the provider of identities; undefined without one. */
  readonly providerName: string | undefined;
}

const operation = endpoints<PeopleParts>();

const noLink = errorReply(
  404,
  'The link does not work any more.',
  'This link has been used, replaced, or has expired.',
);
const justTaken = errorReply(
  409,
  'Another request has just made a person with this address.',
  'This e-mail address has an account since a moment ago. Please try again.',
);

async function welcome(ctx: Context, { postgres, sessions, now }: PeopleParts, cookie: string) {
  const person = (await findPerson(postgres, cookie, now())) as Person;
  sessions.set(ctx, cookie, person.email);
  return describeMe(postgres, person);
}

const look = (ctx: Context, { postgres, guesses, now }: PeopleParts, token: string) =>
  guesses.guardLink(ctx, sha256(token), () => lookAtLink(postgres, token, now()));

const operations = [
  operation({
    method: 'get',
    path: '/auth/v1/providers',
    operationId: 'listSignInProviders',
    summary: 'What people can sign in with',
    description: 'Whether links are mailed, and the provider of identities where there is one.',
    auth: anybody,
    responses: answers(200, schema.providersSchema),
    handle: (_ctx, { mailer, providerName }) => ({
      mail: mailer.isThere,
      oidc: providerName === undefined ? null : { name: providerName },
    }),
  }),
  operation({
    method: 'post',
    path: '/auth/v1/sign-in',
    operationId: 'signIn',
    summary: 'Sign in',
    description: 'Sets the cookie of a session. With a second factor a 401 with `second_factor` asks for `code`.',
    auth: anybody,
    body: body(schema.signInSchema, example),
    responses: answers(200, schema.meSchema, { 401: wrongProof }),
    handle: async (ctx, parts, { readBody }) => {
      const { postgres, sessions, guesses, seal, now } = parts;
      sessions.refuseOtherSites(ctx);
      const given = readBody();
      const browser = sessions.browser(ctx);
      const cookie = await guesses.guardPassword(ctx)(canonicalEmail(given.email), () =>
        signIn(postgres, given, browser, guesses.guardCode(ctx), { seal, now: now() }),
      );
      return welcome(ctx, parts, cookie);
    },
  }),
  operation({
    method: 'post',
    path: '/auth/v1/sign-out',
    operationId: 'signOut',
    summary: 'Sign out',
    description: 'Ends the session, if there is one.',
    auth: anybody,
    responses: answers(204),
    handle: async (ctx, { postgres, sessions }) => {
      const person = await sessions.person(ctx);
      if (person) await queries.endSession(postgres, person.id, person.sessionId);
      sessions.clear(ctx);
    },
  }),
  operation({
    method: 'post',
    path: '/auth/v1/password-link',
    operationId: 'mailPasswordLink',
    summary: 'Ask for a new password',
    description:
      'Mails a link where mail is set up and the address belongs to somebody; the answer is always the same.',
    auth: anybody,
    body: body(schema.forgottenSchema, { email: example.email }),
    responses: answers(202, Type.Object({ msg: Type.String(), status: Type.Integer() })),
    handle: async (ctx, { sessions, guesses, mailer }, { readBody }) => {
      sessions.refuseOtherSites(ctx);
      const email = canonicalEmail(readBody().email);
      await guesses.countMail(ctx, email);
      // Answered before it is known whether there is such a person: the time does not tell.
      mailer.sendPasswordLink(email);
      return { msg: 'If the address belongs to an account, a link is on its way.', status: 202 };
    },
  }),
  operation({
    method: 'post',
    path: '/auth/v1/links/look',
    operationId: 'lookAtLink',
    repeatable: true,
    summary: 'Look what a link is for',
    description: 'It goes on working.',
    auth: anybody,
    body: body(schema.lookSchema, { token: 'link_…' }),
    responses: answers(200, schema.linkSchema, { 404: noLink }),
    handle: (ctx, parts, { readBody }) => look(ctx, parts, readBody().token),
  }),
  operation({
    method: 'post',
    path: '/auth/v1/links/follow',
    operationId: 'followLink',
    summary: 'Follow a link',
    description:
      'Makes the person, gives the role or sets the password, and signs in. A link works once, and is judged by ' +
      'what is so when it is used: whether who has made it still may, and what its person is. A mailed one proves ' +
      'the address: where nobody has before, it sets the password, and the second factor and other sessions end.',
    auth: anybody,
    body: body(schema.followSchema, { token: 'link_…', name: 'Ann', ...example }),
    responses: answers(200, schema.meSchema, { 401: wrongProof, 404: noLink, 409: justTaken }),
    handle: async (ctx, parts, { readBody }) => {
      const { postgres, sessions, guesses, seal, now } = parts;
      sessions.refuseOtherSites(ctx);
      const given = readBody();
      const { email } = await look(ctx, parts, given.token);
      const following = { browser: sessions.browser(ctx), guardCode: guesses.guardCode(ctx), seal, now: now() };
      // A link for somebody who is known is one more way to guess at the password.
      const cookie = await guesses.guardPassword(ctx)(canonicalEmail(email ?? given.email ?? ''), () =>
        followLink(postgres, given, following),
      );
      return welcome(ctx, parts, cookie);
    },
  }),
  ...meOperations,
  ...memberOperations,
];

/** With the way to a provider of identities, which is there only where one is set up. */
export const peopleApi: ApiSection = {
  tag: 'People',
  description: 'Signing in, members of accounts and partners, and the audit log. The session is a cookie.',
  operations: [...operations, ...oidcOperations],
};

export const peopleRoutes = (parts: PeopleParts): Router => createRoutes({ operations }, parts);
