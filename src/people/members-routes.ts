/** `/auth/v1`: members, invitations and the audit log (docs/contract/people.md). */
import type { Context } from 'koa';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import type { Postgres } from '../db/postgres';
import { ApiError } from '../errors';
import { readActor, type Administrators } from '../http/administrators';
import { admin, session, signedInPerson } from '../http/auth-schemes';
import { endpoints } from '../http/endpoint';
import { readId } from '../http/ids';
import { withRateLimit } from '../http/limits';
import type { Person, Place } from '../http/permissions';
import type { BrowserSessions } from '../http/session';
import { Type } from '../lib/schema';
import { idParameter, missing } from '../openapi/administration';
import { errorReply, queryParameter } from '../openapi/operation';
import { readNames } from './audit-names';
import { changeBelonging } from './belonging';
import { answers, body } from './described';
import { auditParameters, onePlace, placeParameters } from './input';
import { makeLink } from './links';
import { buildLink, type Mailer } from './mailer';
import * as members from './members';
import * as queries from './queries';
import * as schema from './schema';
import { canonicalEmail } from './signing-in';

export interface MembersParts {
  readonly postgres: Postgres;
  readonly sessions: BrowserSessions;
  readonly admins: Administrators;
  readonly mailer: Mailer;
  /** Links that people make for others, by person and by account or partner. */
  readonly invitations: RateLimiterAbstract | undefined;
  /** Ends in ClickHouse what has ended here. */
  readonly endReaders: () => Promise<void>;
  readonly now: () => number;
}

const operation = endpoints<MembersParts>();

const text = Type.String();
const last = errorReply(
  409,
  'The last owner of an account and the last operator stay.',
  'There must be at least one owner.',
);
const isMember = errorReply(
  409,
  'The person is a member already.',
  'This person is a member already: change the role instead.',
);

function readSignedIn(ctx: Context, { sessions }: MembersParts) {
  const person = signedInPerson(ctx);
  return { person, actor: sessions.actor(ctx, person) };
}

const limited = <T>({ invitations }: MembersParts, person: Person, work: () => Promise<T>) =>
  withRateLimit(invitations, `person ${person.id}`, work);

async function readPlaceName(postgres: Postgres, place: Place): Promise<string> {
  if (place === 'installation') return 'adtrail';
  const ids = 'account' in place ? [[place.account], []] : [[], [place.partner]];
  const kind = 'account' in place ? 'account' : 'partner';
  const found = await queries.readPlaces(postgres, ids[0], ids[1], false);
  return found.find((one) => one.kind === kind)?.name ?? 'adtrail';
}

export const memberOperations = [
  // Only who holds the admin token makes the first operator, and another one where all are lost.
  operation({
    method: 'post',
    path: '/auth/v1/first-link',
    operationId: 'makeFirstLink',
    summary: 'Make a link for an operator',
    description: 'Only with the admin token. It works once, for a day; an earlier one does not work any more.',
    auth: admin.token,
    parameters: [
      queryParameter('unless_there_is', '`true`: 409 where somebody operates the installation already.', text),
    ],
    responses: answers(201, schema.firstLinkSchema, {
      409: errorReply(409, 'There is one, and it was to be the first.', 'There is an operator already.'),
    }),
    handle: async (ctx, { postgres, sessions, now }, { readParameters }) => {
      const [operated] = await queries.hasOperator(postgres);
      if (readParameters().unless_there_is === 'true' && operated?.yes)
        throw new ApiError(409, 'There is an operator already.');
      const made = await changeBelonging(postgres, readActor(ctx), (db) => makeLink(db, { kind: 'first' }, now()));
      return { link: buildLink(sessions.origin(ctx), made.token), expires_at: made.expiresAt };
    },
  }),
  operation({
    method: 'get',
    path: '/auth/v1/members',
    operationId: 'listMembers',
    summary: 'List members',
    description: 'Of an account, a partner or the installation, with the invitations that nobody has followed.',
    auth: session,
    parameters: placeParameters,
    responses: answers(200, schema.membersSchema, { 404: missing('Account') }),
    handle: (ctx, { postgres, now }, { readParameters }) => {
      const { account_id, partner_id } = readParameters();
      return members.listMembers(postgres, signedInPerson(ctx), onePlace(account_id, partner_id), now());
    },
  }),
  operation({
    method: 'put',
    path: '/auth/v1/members/{id}/role',
    operationId: 'setMemberRole',
    summary: 'Change the role of a member',
    description: 'In force at the next request.',
    auth: session,
    parameters: [idParameter('member')],
    body: body(schema.roleSchema, { role: 'viewer' }),
    responses: answers(204, undefined, { 404: missing('Member'), 409: last }),
    handle: async (ctx, parts, { readBody }) => {
      const { person, actor } = readSignedIn(ctx, parts);
      const { role } = readBody();
      const id = readId(ctx.params.id, 'Member');
      if (await members.changeRole(parts.postgres, actor, person, id, role, parts.now())) await parts.endReaders();
    },
  }),
  operation({
    method: 'delete',
    path: '/auth/v1/members/{id}',
    operationId: 'removeMember',
    summary: 'Take a member out',
    description: 'In force at the next request. Links and SQL users that the member has made end too.',
    auth: session,
    parameters: [idParameter('member')],
    responses: answers(204, undefined, { 404: missing('Member'), 409: last }),
    handle: async (ctx, parts) => {
      const { person, actor } = readSignedIn(ctx, parts);
      const id = readId(ctx.params.id, 'Member');
      if (await members.removeMember(parts.postgres, actor, person, id, parts.now())) await parts.endReaders();
    },
  }),
  operation({
    method: 'post',
    path: '/auth/v1/members/{id}/password-link',
    operationId: 'makePasswordLink',
    summary: 'Make a link for a new password',
    description:
      'Mailed where mail is set up, else shown this once. It ends when a membership of the person is made, changed ' +
      'or ended, and when who has made it may not any more.',
    auth: session,
    parameters: [idParameter('member')],
    responses: answers(201, schema.madeLinkSchema, { 404: missing('Member') }),
    handle: async (ctx, parts) => {
      const { postgres, sessions, mailer, now } = parts;
      const { person, actor } = readSignedIn(ctx, parts);
      const id = readId(ctx.params.id, 'Member');
      const made = await limited(parts, person, () =>
        members.memberPasswordLink(postgres, actor, person, id, mailer.isThere, now()),
      );
      return mailer.deliver(made, sessions.origin(ctx), { kind: 'password', to: made.email });
    },
  }),
  operation({
    method: 'post',
    path: '/auth/v1/invitations',
    operationId: 'invite',
    summary: 'Invite a person',
    description:
      'Mailed where mail is set up, else the link is shown this once. It works once, for 7 days, as long as who ' +
      'has made it may give the role.',
    auth: session,
    body: body(schema.invitationSchema, { email: 'bob@acme.example', role: 'viewer', account_id: 1 }),
    responses: answers(201, schema.madeInvitationSchema, { 404: missing('Account'), 409: isMember }),
    handle: async (ctx, parts, { readBody }) => {
      const { postgres, sessions, mailer, invitations, now } = parts;
      const { person, actor } = readSignedIn(ctx, parts);
      const { email, role, account_id, partner_id } = readBody();
      const place = onePlace(account_id, partner_id);
      // Before it counts: nobody uses up what another account has.
      members.mustManageMembers(person, place);
      const given = { email, role, mailed: mailer.isThere };
      const made = await limited(parts, person, () =>
        withRateLimit(invitations, JSON.stringify(place), () =>
          members.invite(postgres, actor, person, place, given, now()),
        ),
      );
      const letter = { kind: 'invitation', inviter: person.name, place: await readPlaceName(postgres, place) } as const;
      const to = canonicalEmail(email);
      const delivered = await mailer.deliver(made, sessions.origin(ctx), { ...letter, to });
      return { id: made.id, email: to, role, ...delivered };
    },
  }),
  operation({
    method: 'delete',
    path: '/auth/v1/invitations/{id}',
    operationId: 'withdrawInvitation',
    summary: 'Withdraw an invitation',
    description: 'Its link does not work any more.',
    auth: session,
    parameters: [idParameter('invitation')],
    responses: answers(204, undefined, { 404: missing('Invitation') }),
    handle: async (ctx, parts) => {
      const { person, actor } = readSignedIn(ctx, parts);
      const id = readId(ctx.params.id, 'Invitation');
      await members.withdrawInvitation(parts.postgres, actor, person, id, parts.now());
    },
  }),
  operation({
    method: 'get',
    path: '/auth/v1/audit-log',
    operationId: 'readAuditLog',
    summary: 'Read the audit log',
    description: 'What was changed in the configuration, the latest first. Operators may leave `account_id` out.',
    auth: session,
    parameters: auditParameters,
    responses: answers(200, schema.auditLogSchema, { 404: missing('Account') }),
    handle: async (ctx, { postgres }, { readParameters }) => {
      const { account_id, before, actor, action, subject, from, to, project_id, limit } = readParameters();
      members.mustReadAuditLog(signedInPerson(ctx), account_id ?? null);
      const [since, until] = [from, to].map((time) => time && new Date(time));
      const filters = [account_id, before, actor, action, subject, since, until, project_id, limit];
      const entries = await queries.readAuditLog(postgres, ...filters);
      const names = await readNames(postgres, entries);
      return { entries, names, next_before: entries.length === limit ? (entries.at(-1)?.id ?? null) : null };
    },
  }),
];
