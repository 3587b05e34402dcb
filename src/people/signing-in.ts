/** Signing in: a password, and a code where the person has a second factor. */
import QRCode from 'qrcode';
import type { Postgres, Queryable } from '../db/postgres';
import { ApiError } from '../errors';
import { changeAs, type Actor } from '../configuration/change';
import { hashPassword, isPassword } from './passwords';
import * as queries from './queries';
import { newRecoveryCodes, newSecret, recoveryHash, stepOf, uriOf } from './second-factor';
import { beginSession, type Browser } from './sessions';

/** The same for an unknown address and a wrong password: neither answer nor time tells which. */
export const wrongPassword = () => new ApiError(401, 'The e-mail address or the password is wrong.');
export const CODE_MISSING = 'Enter the code of your authenticator app.';
const codeMissing = () => new ApiError(401, CODE_MISSING, {}, { second_factor: true });
const wrongCode = () => new ApiError(401, 'The code is wrong.', {}, { second_factor: true });

export const canonicalEmail = (email: string) => email.trim().toLowerCase();

/** A person as the audit log shows one. */
export const actorOf = (user: { id: number; name: string }, browser: Browser): Actor => ({
  kind: 'user',
  userId: user.id,
  name: user.name,
  address: browser.address,
});

/**
 * Checks the code of who has a second factor, and uses it up.
 *
 * @throws ApiError 401 with `second_factor` where the code is missing or wrong.
 */
export async function checkSecondFactor(
  db: Queryable,
  user: queries.UserRow,
  code: string | undefined,
  now: number,
): Promise<void> {
  if (user.totp_secret === null) return;
  if (code === undefined) throw codeMissing();
  const step = stepOf(user.totp_secret, code, now);
  const [taken] =
    step === null
      ? await queries.takeRecoveryCode(db, user.id, recoveryHash(code))
      : await queries.takeCode(db, user.id, step);
  if (!taken) throw wrongCode();
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
  now: number,
): Promise<string> {
  const [user] = await queries.findUserByEmail(postgres, canonicalEmail(given.email));
  if (!(await isPassword(given.password, user?.password ?? null)) || !user) throw wrongPassword();
  return changeAs(postgres, actorOf(user, browser), async (db) => {
    await checkSecondFactor(db, user, given.code, now);
    return beginSession(db, user.id, browser, now);
  });
}

async function mustKnowPassword(postgres: Postgres, userId: number, password: string): Promise<void> {
  const [user] = await queries.findUser(postgres, userId);
  if (!(await isPassword(password, user?.password ?? null))) throw new ApiError(403, 'The password is wrong.');
}

/** Sets another password and ends all other sessions. @throws ApiError 403 where `current` is wrong. */
export async function changePassword(
  postgres: Postgres,
  actor: Actor,
  { userId, sessionId }: { userId: number; sessionId: number },
  given: { current: string; password: string },
): Promise<void> {
  await mustKnowPassword(postgres, userId, given.current);
  const hashed = await hashPassword(given.password);
  await changeAs(postgres, actor, async (db) => {
    await queries.setPassword(db, userId, hashed);
    await queries.endSessions(db, userId, sessionId);
  });
}

/** A secret for an authenticator app; it counts once a code of it is confirmed. `qr` is an SVG. */
export async function offerSecondFactor(email: string): Promise<{ secret: string; uri: string; qr: string }> {
  const secret = newSecret();
  const uri = uriOf(secret, email);
  return { secret, uri, qr: await QRCode.toString(uri, { type: 'svg' }) };
}

/** Turns the second factor on, and returns the recovery codes, which are shown this once. */
export async function confirmSecondFactor(
  postgres: Postgres,
  actor: Actor,
  userId: number,
  { secret, code }: { secret: string; code: string },
  now: number,
): Promise<string[]> {
  const step = stepOf(secret, code, now);
  if (step === null) throw new ApiError(400, 'code: is not the one that the app shows now');
  const codes = newRecoveryCodes();
  await changeAs(postgres, actor, (db) => queries.setSecondFactor(db, userId, secret, step, codes.map(recoveryHash)));
  return codes;
}

/** Turns the second factor off. @throws ApiError 403 where the password is wrong. */
export async function removeSecondFactor(
  postgres: Postgres,
  actor: Actor,
  userId: number,
  password: string,
): Promise<void> {
  await mustKnowPassword(postgres, userId, password);
  await changeAs(postgres, actor, (db) => queries.setSecondFactor(db, userId, null, 0, []));
}
