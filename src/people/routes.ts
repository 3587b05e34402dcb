/** `/auth/v1`: signing in, links that let a person in, and a person's own things (docs/contract/people.md). */
import type Router from '@koa/router';
import type { Context } from 'koa';
import { changeAs } from '../configuration/change';
import type { Postgres } from '../db/postgres';
import { ApiError } from '../errors';
import { jsonBody } from '../http/body';
import { readId } from '../http/ids';
import type { Guesses } from '../http/guesses';
import { createRouter } from '../http/router';
import type { BrowserSessions } from '../http/session';
import { validator } from '../http/validate';
import type { Seal } from '../lib/seal';
import { sha256 } from '../lib/secrets';
import { followLink, lookAtLink } from './links';
import type { Mailer } from './mailer';
import { describeMe } from './me';
import type { Person } from '../http/permissions';
import * as queries from './queries';
import * as schema from './schema';
import { findPerson } from './sessions';
import * as signing from './signing-in';

const parse = {
  signIn: validator(schema.signInSchema),
  name: validator(schema.nameSchema),
  password: validator(schema.passwordSchema),
  confirm: validator(schema.confirmSchema),
  remove: validator(schema.removeSchema),
  look: validator(schema.lookSchema),
  follow: validator(schema.followSchema),
  forgotten: validator(schema.forgottenSchema),
};

export interface PeopleOptions {
  readonly postgres: Postgres;
  readonly sessions: BrowserSessions;
  readonly guesses: Guesses;
  readonly mailer: Mailer;
  /** The name of the provider of identities; undefined without one. */
  readonly providerName: string | undefined;
  /** Seals second factors. */
  readonly seal: Seal;
  readonly now: () => number;
}

export function peopleRoutes({ postgres, sessions, guesses, mailer, providerName, seal, now }: PeopleOptions): Router {
  const router = createRouter('/auth/v1');
  const body = jsonBody('10kb');
  const checking = () => ({ seal, now: now() });

  async function welcome(ctx: Context, cookie: string): Promise<void> {
    const person = (await findPerson(postgres, cookie, now())) as Person;
    sessions.set(ctx, cookie, person.email);
    ctx.body = await describeMe(postgres, person);
  }
  const look = (ctx: Context, token: string) =>
    guesses.guardLink(ctx, sha256(token), () => lookAtLink(postgres, token, now()));
  const own = (ctx: Context, person: Person) => sessions.actor(ctx, person);

  router.get('/providers', (ctx) => {
    ctx.body = { mail: mailer.isThere, oidc: providerName === undefined ? null : { name: providerName } };
  });
  router.post('/sign-in', body, async (ctx) => {
    sessions.refuseOtherSites(ctx);
    const given = parse.signIn(ctx.request.body);
    const about = signing.canonicalEmail(given.email);
    const browser = sessions.browser(ctx);
    const cookie = await guesses.guardPassword(ctx)(about, () =>
      signing.signIn(postgres, given, browser, guesses.guardCode(ctx), checking()),
    );
    await welcome(ctx, cookie);
  });
  router.post('/sign-out', async (ctx) => {
    const person = await sessions.person(ctx);
    if (person) await queries.endSession(postgres, person.id, person.sessionId);
    sessions.clear(ctx);
    ctx.status = 204;
  });
  router.post('/password-link', body, async (ctx) => {
    sessions.refuseOtherSites(ctx);
    const email = signing.canonicalEmail(parse.forgotten(ctx.request.body).email);
    await guesses.countMail(ctx, email);
    // Answered before it is known whether there is such a person: the time does not tell.
    mailer.sendPasswordLink(email);
    ctx.status = 202;
    ctx.body = { msg: 'If the address belongs to an account, a link is on its way.', status: 202 };
  });
  router.post('/links/look', body, async (ctx) => {
    const { token } = parse.look(ctx.request.body);
    ctx.body = await look(ctx, token);
  });
  router.post('/links/follow', body, async (ctx) => {
    sessions.refuseOtherSites(ctx);
    const given = parse.follow(ctx.request.body);
    const { email } = await look(ctx, given.token);
    const following = { browser: sessions.browser(ctx), guardCode: guesses.guardCode(ctx), ...checking() };
    // A link for somebody who is known is one more way to guess at the password.
    const cookie = await guesses.guardPassword(ctx)(signing.canonicalEmail(email ?? given.email ?? ''), () =>
      followLink(postgres, given, following),
    );
    await welcome(ctx, cookie);
  });

  router.get('/me', async (ctx) => {
    ctx.body = await describeMe(postgres, await sessions.mustBeSignedIn(ctx));
  });
  router.put('/me/name', body, async (ctx) => {
    const person = await sessions.mustBeSignedIn(ctx);
    const { name } = parse.name(ctx.request.body);
    await changeAs(postgres, own(ctx, person), (db) => queries.rename(db, person.id, name.trim()));
    ctx.body = await describeMe(postgres, person);
  });
  router.put('/me/password', body, async (ctx) => {
    const person = await sessions.mustBeSignedIn(ctx);
    const given = parse.password(ctx.request.body);
    const ids = { userId: person.id, sessionId: person.sessionId };
    await guesses.guardSession(person.sessionId, () => signing.changePassword(postgres, own(ctx, person), ids, given));
    ctx.status = 204;
  });
  router.post('/me/second-factor', async (ctx) => {
    const person = await sessions.mustBeSignedIn(ctx);
    ctx.body = await signing.offerSecondFactor(person.email);
  });
  router.post('/me/second-factor/confirm', body, async (ctx) => {
    const person = await sessions.mustBeSignedIn(ctx);
    const given = parse.confirm(ctx.request.body);
    const codes = await guesses.guardSession(person.sessionId, () =>
      signing.confirmSecondFactor(postgres, own(ctx, person), person, given, checking()),
    );
    ctx.body = { recovery_codes: codes };
  });
  router.post('/me/second-factor/remove', body, async (ctx) => {
    const person = await sessions.mustBeSignedIn(ctx);
    const proof = parse.remove(ctx.request.body);
    await guesses.guardSession(person.sessionId, () =>
      signing.removeSecondFactor(postgres, own(ctx, person), person, proof, checking()),
    );
    ctx.status = 204;
  });

  router.get('/sessions', async (ctx) => {
    const person = await sessions.mustBeSignedIn(ctx);
    const rows = await queries.readSessions(postgres, person.id, new Date(now()));
    ctx.body = { sessions: rows.map((row) => ({ ...row, current: row.id === person.sessionId })) };
  });
  router.delete('/sessions', async (ctx) => {
    const person = await sessions.mustBeSignedIn(ctx);
    await queries.endSessions(postgres, person.id, null);
    sessions.clear(ctx);
    ctx.status = 204;
  });
  router.delete('/sessions/:id', async (ctx) => {
    const person = await sessions.mustBeSignedIn(ctx);
    const [ended] = await queries.endSession(postgres, person.id, readId(ctx.params.id, 'Session'));
    if (!ended) throw new ApiError(404, 'Session not found.');
    ctx.status = 204;
  });
  return router;
}
