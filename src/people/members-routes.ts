/** `/auth/v1`: members, invitations and the audit log (docs/contract/people.md). */
import type Router from '@koa/router';
import type { Context } from 'koa';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import type { Postgres } from '../db/postgres';
import { ApiError } from '../errors';
import { readActor, type Administrators } from '../http/administrators';
import { jsonBody } from '../http/body';
import { readId } from '../http/ids';
import { withRateLimit } from '../http/limits';
import { createRouter } from '../http/router';
import type { BrowserSessions } from '../http/session';
import { readQueryString } from '../http/target';
import { validator } from '../http/validate';
import { changeBelonging } from './belonging';
import { onePlace, readAuditInput, readPlace } from './input';
import { makeLink } from './links';
import { buildLink, type Mailer } from './mailer';
import * as members from './members';
import type { Person, Place } from '../http/permissions';
import * as queries from './queries';
import { invitationSchema, roleSchema } from './schema';
import { canonicalEmail } from './signing-in';

const parseInvitation = validator(invitationSchema);
const parseRole = validator(roleSchema);

export interface MembersOptions {
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

export function memberRoutes({
  postgres,
  sessions,
  admins,
  mailer,
  invitations,
  endReaders,
  now,
}: MembersOptions): Router {
  const router = createRouter('/auth/v1');
  const body = jsonBody('10kb');
  const signedIn = async (ctx: Context) => {
    const person = await sessions.mustBeSignedIn(ctx);
    return { person, actor: sessions.actor(ctx, person) };
  };

  const limited = <T>(person: Person, work: () => Promise<T>) =>
    withRateLimit(invitations, `person ${person.id}`, work);

  // Only who holds the admin token makes the first operator, and another one where all are lost.
  router.post('/first-link', admins.adminToken, async (ctx) => {
    const [operated] = await queries.hasOperator(postgres);
    if (readQueryString(ctx).get('unless_there_is') === 'true' && operated?.yes)
      throw new ApiError(409, 'There is an operator already.');
    const made = await changeBelonging(postgres, readActor(ctx), (db) => makeLink(db, { kind: 'first' }, now()));
    ctx.status = 201;
    ctx.body = { link: buildLink(sessions.origin(ctx), made.token), expires_at: made.expiresAt };
  });

  router.get('/members', async (ctx) => {
    const { person } = await signedIn(ctx);
    ctx.body = await members.listMembers(postgres, person, readPlace(readQueryString(ctx)), now());
  });
  router.put('/members/:id/role', body, async (ctx) => {
    const { person, actor } = await signedIn(ctx);
    const { role } = parseRole(ctx.request.body);
    await members.changeRole(postgres, actor, person, readId(ctx.params.id, 'Member'), role, now());
    await endReaders();
    ctx.status = 204;
  });
  router.delete('/members/:id', async (ctx) => {
    const { person, actor } = await signedIn(ctx);
    await members.removeMember(postgres, actor, person, readId(ctx.params.id, 'Member'), now());
    await endReaders();
    ctx.status = 204;
  });
  router.post('/members/:id/password-link', async (ctx) => {
    const { person, actor } = await signedIn(ctx);
    const id = readId(ctx.params.id, 'Member');
    const made = await limited(person, () =>
      members.memberPasswordLink(postgres, actor, person, id, mailer.isThere, now()),
    );
    ctx.status = 201;
    ctx.body = await mailer.deliver(made, sessions.origin(ctx), { kind: 'password', to: made.email });
  });
  router.post('/invitations', body, async (ctx) => {
    const { person, actor } = await signedIn(ctx);
    const { email, role, account_id, partner_id } = parseInvitation(ctx.request.body);
    const place = onePlace(account_id, partner_id);
    // Before it counts: nobody uses up what another account has.
    members.mustManageMembers(person, place);
    const given = { email, role, mailed: mailer.isThere };
    const made = await limited(person, () =>
      withRateLimit(invitations, JSON.stringify(place), () =>
        members.invite(postgres, actor, person, place, given, now()),
      ),
    );
    const letter = { kind: 'invitation', inviter: person.name, place: await readPlaceName(postgres, place) } as const;
    const to = canonicalEmail(email);
    const delivered = await mailer.deliver(made, sessions.origin(ctx), { ...letter, to });
    ctx.status = 201;
    ctx.body = { id: made.id, email: to, role, ...delivered };
  });
  router.delete('/invitations/:id', async (ctx) => {
    const { person, actor } = await signedIn(ctx);
    await members.withdrawInvitation(postgres, actor, person, readId(ctx.params.id, 'Invitation'), now());
    ctx.status = 204;
  });

  router.get('/audit-log', async (ctx) => {
    const { person } = await signedIn(ctx);
    const input = readAuditInput(readQueryString(ctx));
    members.mustReadAuditLog(person, input.accountId);
    const { accountId, before, actor, action, subject, from, to, limit } = input;
    const filters = [accountId, before, actor, action, subject, from, to, limit];
    const entries = await queries.readAuditLog(postgres, ...filters);
    ctx.body = { entries, next_before: entries.length === limit ? (entries.at(-1)?.id ?? null) : null };
  });
  return router;
}

async function readPlaceName(postgres: Postgres, place: Place): Promise<string> {
  if (place === 'installation') return 'adtrail';
  const ids = 'account' in place ? [[place.account], []] : [[], [place.partner]];
  const kind = 'account' in place ? 'account' : 'partner';
  const found = await queries.readPlaces(postgres, ids[0], ids[1], false);
  return found.find((one) => one.kind === kind)?.name ?? 'adtrail';
}
