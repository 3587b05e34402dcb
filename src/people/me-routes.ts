/** `/auth/v1/me` and `/auth/v1/sessions`: a person's own things (docs/contract/people.md). */
import { changeAs } from '../configuration/change';
import type { Postgres } from '../db/postgres';
import { ApiError } from '../errors';
import { session, signedInPerson } from '../http/auth-schemes';
import { endpoints } from '../http/endpoint';
import type { Guesses } from '../http/guesses';
import { readId } from '../http/ids';
import type { BrowserSessions } from '../http/session';
import type { Seal } from '../lib/seal';
import { idParameter, missing } from '../openapi/administration';
import { answers, body, example, wrongProof } from './described';
import { describeMe } from './me';
import * as queries from './queries';
import * as schema from './schema';
import * as signing from './signing-in';

export interface MeParts {
  readonly postgres: Postgres;
  readonly sessions: BrowserSessions;
  readonly guesses: Guesses;
  /** Seals second factors. */
  readonly seal: Seal;
  readonly now: () => number;
}

const operation = endpoints<MeParts>();

export const meOperations = [
  operation({
    method: 'get',
    path: '/auth/v1/me',
    operationId: 'getMe',
    summary: 'Who is signed in',
    description: 'The person, and what may be done in each account, project and partner.',
    auth: session,
    responses: answers(200, schema.meSchema),
    handle: (ctx, { postgres }) => describeMe(postgres, signedInPerson(ctx)),
  }),
  operation({
    method: 'put',
    path: '/auth/v1/me/name',
    operationId: 'setMyName',
    summary: 'Change the own name',
    description: 'The name that others see.',
    auth: session,
    body: body(schema.nameSchema, { name: 'Ann' }),
    responses: answers(200, schema.meSchema),
    handle: async (ctx, { postgres, sessions }, { readBody }) => {
      const person = signedInPerson(ctx);
      const { name } = readBody();
      await changeAs(postgres, sessions.actor(ctx, person), (db) => queries.rename(db, person.id, name.trim()));
      return describeMe(postgres, person);
    },
  }),
  operation({
    method: 'put',
    path: '/auth/v1/me/password',
    operationId: 'setMyPassword',
    summary: 'Change the own password',
    description: 'All other sessions end.',
    auth: session,
    body: body(schema.passwordSchema, { current: example.password, password: `${example.password} staple` }),
    responses: answers(204),
    handle: async (ctx, { postgres, sessions, guesses }, { readBody }) => {
      const person = signedInPerson(ctx);
      const given = readBody();
      const ids = { userId: person.id, sessionId: person.sessionId };
      await guesses.guardSession(person.sessionId, () =>
        signing.changePassword(postgres, sessions.actor(ctx, person), ids, given),
      );
    },
  }),
  operation({
    method: 'post',
    path: '/auth/v1/me/second-factor',
    operationId: 'offerSecondFactor',
    summary: 'Begin a second factor',
    description: 'A secret for an authenticator app. Nothing changes until a code of it is confirmed.',
    auth: session,
    responses: answers(200, schema.offerSchema),
    handle: (ctx) => signing.offerSecondFactor(signedInPerson(ctx).email),
  }),
  operation({
    method: 'post',
    path: '/auth/v1/me/second-factor/confirm',
    operationId: 'confirmSecondFactor',
    summary: 'Turn the second factor on',
    description:
      'Takes the password, and with `current_code` a code of the second factor that there is; who has none signs ' +
      'in again first. Answers with the recovery codes, this once. All other sessions end.',
    auth: session,
    body: body(schema.confirmSchema, {
      secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
      code: '123456',
      password: example.password,
    }),
    responses: answers(200, schema.recoveryCodesSchema, { 401: wrongProof }),
    handle: async (ctx, { postgres, sessions, guesses, seal, now }, { readBody }) => {
      const person = signedInPerson(ctx);
      const given = readBody();
      const codes = await guesses.guardSession(person.sessionId, () =>
        signing.confirmSecondFactor(postgres, sessions.actor(ctx, person), person, given, { seal, now: now() }),
      );
      return { recovery_codes: codes };
    },
  }),
  operation({
    method: 'post',
    path: '/auth/v1/me/second-factor/remove',
    operationId: 'removeSecondFactor',
    summary: 'Turn the second factor off',
    description: 'Takes the password and a code. All other sessions end.',
    auth: session,
    body: body(schema.removeSchema, { password: example.password, code: '123456' }),
    responses: answers(204, undefined, { 401: wrongProof }),
    handle: async (ctx, { postgres, sessions, guesses, seal, now }, { readBody }) => {
      const person = signedInPerson(ctx);
      const proof = readBody();
      await guesses.guardSession(person.sessionId, () =>
        signing.removeSecondFactor(postgres, sessions.actor(ctx, person), person, proof, { seal, now: now() }),
      );
    },
  }),
  operation({
    method: 'get',
    path: '/auth/v1/sessions',
    operationId: 'listSessions',
    summary: 'List the own sessions',
    description: 'Those that have not ended.',
    auth: session,
    responses: answers(200, schema.sessionsSchema),
    handle: async (ctx, { postgres, now }) => {
      const person = signedInPerson(ctx);
      const rows = await queries.readSessions(postgres, person.id, new Date(now()));
      return { sessions: rows.map((row) => ({ ...row, current: row.id === person.sessionId })) };
    },
  }),
  operation({
    method: 'delete',
    path: '/auth/v1/sessions/{id}',
    operationId: 'endSession',
    summary: 'End a session',
    description: 'At once.',
    auth: session,
    parameters: [idParameter('session')],
    responses: answers(204, undefined, { 404: missing('Session') }),
    handle: async (ctx, { postgres }) => {
      const [ended] = await queries.endSession(postgres, signedInPerson(ctx).id, readId(ctx.params.id, 'Session'));
      if (!ended) throw new ApiError(404, 'Session not found.');
    },
  }),
  operation({
    method: 'delete',
    path: '/auth/v1/sessions',
    operationId: 'endSessions',
    summary: 'Sign out everywhere',
    description: 'Ends all own sessions, this one too.',
    auth: session,
    responses: answers(204),
    handle: async (ctx, { postgres, sessions }) => {
      await queries.endSessions(postgres, signedInPerson(ctx).id, null);
      sessions.clear(ctx);
    },
  }),
];
