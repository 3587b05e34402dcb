/** Signing in: a password, and a code where the person has a second factor. */
import QRCode from 'qrcode';
import type { Postgres, Queryable } from '../db/postgres';
import { ApiError } from '../errors';
import { changeAs, type Actor } from '../configuration/change';
import { CODE_MISSING, type Guarded } from '../http/guesses';
import { SealError, type Seal } from '../lib/seal';
import { MINUTE_MS } from '../lib/time';
import { hashPassword, isPassword } from './passwords';
import type { Person } from '../http/permissions';
import * as queries from './queries';
import { newRecoveryCodes, newSecret, recoveryHash, findStep, buildUri } from './second-factor';
import { beginSession, type Browser } from './sessions';

/** The same for an unknown address and a wrong password: neither answer nor time tells which. */
export const wrongPassword = () => new ApiError(401, 'The e-mail address or the password is wrong.');
/** Who has no password has signed in through the provider not longer ago than this. */
const FRESH_MS = 10 * MINUTE_MS;
const codeMissing = () => new ApiError(401, CODE_MISSING, {}, { second_factor: true });
const wrongCode = () => new ApiError(401, 'The code is wrong.', {}, { second_factor: true });
/** Nobody comes in without a second factor because the service cannot read it. Recovery codes need no key. */
const unreadable = () =>
  new ApiError(
    503,
    'Your second factor cannot be checked: the service has another SEAL_KEY than it was set up with. ' +
      'Use a recovery code.',
    { 'Retry-After': '60' },
  );

/** What codes are checked by: what their secrets are sealed with, and the time in milliseconds. */
export interface Checking {
  readonly seal: Seal;
  readonly now: number;
}

export const canonicalEmail = (email: string) => email.trim().toLowerCase();

/** A person as the audit log shows one. */
export const buildActor = (user: { id: number; name: string }, browser: Browser): Actor => ({
  kind: 'user',
  userId: user.id,
  name: user.name,
  address: browser.address,
});

/**
 * Checks the code of who has a second factor, and uses it up.
 *
 * @throws ApiError 401 with `second_factor` where the code is missing or wrong, 503 where its secret cannot be read.
 */
export async function checkSecondFactor(
  db: Queryable,
  user: queries.UserRow,
  code: string | undefined,
  { seal, now }: Checking,
): Promise<void> {
  if (user.totp_secret === null) return;
  if (code === undefined) throw codeMissing();
  const secret = openSecret(seal, user.totp_secret);
  const step = secret === undefined ? null : findStep(secret, code, now);
  const [taken] =
    step === null
      ? await queries.takeRecoveryCode(db, user.id, recoveryHash(code))
      : await queries.takeCode(db, user.id, step);
  if (!taken) throw secret === undefined ? unreadable() : wrongCode();
}

/** Undefined where the key is another one. */
function openSecret(seal: Seal, sealed: string): string | undefined {
  try {
    return seal.open(sealed);
  } catch (error) {
    if (error instanceof SealError) return undefined;
    throw error;
  }
}

/**
 * The person, locked until the transaction ends, as it was when its password was compared.
 *
 * @throws ApiError 401 where another request has changed it meanwhile.
 */
export async function lockUnchanged(db: Queryable, user: queries.UserRow): Promise<queries.UserRow> {
  const [locked] = await queries.lockUser(db, user.id);
  const isUnchanged = locked?.password === user.password && locked.proven_at?.getTime() === user.proven_at?.getTime();
  if (!isUnchanged) throw wrongPassword();
  return locked;
}

/**
 * Somebody has shown to have the address of a person of whom nobody knew that before. What let others in ends:
 * password, second factor, sessions and links; `password` is the hash of the one that is set now, null for none.
 */
export async function proveAddress(db: Queryable, userId: number, password: string | null, now: number): Promise<void> {
  await queries.proveUser(db, userId, password, new Date(now));
  await queries.endSessions(db, userId, null);
  await queries.endLinks(db, 'password', null, null, null, userId, new Date(now));
}

/**
 * Begins a session for who knows the password, and returns its cookie.
 *
 * @throws ApiError 401.
 */
export async function signIn(
  postgres: Postgres,
  given: { email: string; password: string; code?: string },
  browser: Browser,
  guardCode: Guarded,
  checking: Checking,
): Promise<string> {
  const [user] = await queries.findUserByEmail(postgres, canonicalEmail(given.email));
  if (!(await isPassword(given.password, user?.password ?? null)) || !user) throw wrongPassword();
  const enter = () =>
    changeAs(postgres, buildActor(user, browser), async (db) => {
      await checkSecondFactor(db, await lockUnchanged(db, user), given.code, checking);
      return beginSession(db, user.id, browser, checking.now);
    });
  return user.totp_secret === null ? enter() : guardCode(user.email, enter);
}

/** @throws ApiError 403 for a wrong password. */
async function mustKnowPassword(
  postgres: Postgres,
  userId: number,
  password: string | undefined,
): Promise<queries.UserRow> {
  const [user] = await queries.findUser(postgres, userId);
  if (!(await isPassword(password ?? '', user?.password ?? null)) || !user)
    throw new ApiError(403, 'The password is wrong.');
  return user;
}

/** Sets another password and ends all other sessions. @throws ApiError 403 where `current` is wrong. */
export async function changePassword(
  postgres: Postgres,
  actor: Actor,
  { userId, sessionId }: { userId: number; sessionId: number },
  given: { current: string; password: string },
): Promise<void> {
  const user = await mustKnowPassword(postgres, userId, given.current);
  const hashed = await hashPassword(given.password);
  await changeAs(postgres, actor, async (db) => {
    await lockUnchanged(db, user);
    await queries.setPassword(db, userId, hashed, true);
    await queries.endSessions(db, userId, sessionId);
  });
}

/** A secret for an authenticator app; it counts once a code of it is confirmed. `qr` is an SVG. */
export async function offerSecondFactor(email: string): Promise<{ secret: string; uri: string; qr: string }> {
  const secret = newSecret();
  const uri = buildUri(secret, email);
  return { secret, uri, qr: await QRCode.toString(uri, { type: 'svg' }) };
}

/** What shows that who is signed in is the person, and not somebody at the browser. */
interface Proof {
  readonly password?: string;
  /** A code from the present second factor. */
  readonly code?: string;
}

/**
 * Replaces the second factor by another one, or by none. All other sessions end.
 *
 * @throws ApiError 403 for a wrong password, or a session that is too old to go without one; 401 for a wrong code.
 */
async function replaceSecondFactor(
  postgres: Postgres,
  actor: Actor,
  person: Person,
  proof: Proof,
  next: { secret: string; step: number; codes: string[] } | undefined,
  checking: Checking,
): Promise<void> {
  const [known] = await queries.findUser(postgres, person.id);
  const user = known?.password === null ? known : await mustKnowPassword(postgres, person.id, proof.password);
  if (user.password === null && checking.now - person.since.getTime() > FRESH_MS)
    throw new ApiError(403, 'Sign in again first: this session is more than ten minutes old.');
  await changeAs(postgres, actor, async (db) => {
    await checkSecondFactor(db, await lockUnchanged(db, user), proof.code, checking);
    const { secret, step = 0, codes = [] } = next ?? {};
    const sealed = secret === undefined ? null : checking.seal.seal(secret);
    await queries.setSecondFactor(db, person.id, sealed, step, codes.map(recoveryHash));
    await queries.endSessions(db, person.id, person.sessionId);
  });
}

/** Turns the second factor on, and returns the recovery codes, which are shown this once. @throws as above, or 400. */
export async function confirmSecondFactor(
  postgres: Postgres,
  actor: Actor,
  person: Person,
  { secret, code, ...given }: { secret: string; code: string; password?: string; current_code?: string },
  checking: Checking,
): Promise<string[]> {
  const step = findStep(secret, code, checking.now);
  if (step === null) throw new ApiError(400, 'code: is not the one that the app shows now');
  const codes = newRecoveryCodes();
  const proof = { password: given.password, code: given.current_code };
  await replaceSecondFactor(postgres, actor, person, proof, { secret, step, codes }, checking);
  return codes;
}

/** Turns the second factor off. @throws as above. */
export const removeSecondFactor = (
  postgres: Postgres,
  actor: Actor,
  person: Person,
  proof: Proof,
  checking: Checking,
) => replaceSecondFactor(postgres, actor, person, proof, undefined, checking);
