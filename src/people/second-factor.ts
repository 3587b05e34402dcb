/** The second factor: codes of an authenticator app (TOTP, RFC 6238), each good once, and recovery codes. */
import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { sha256 } from '../lib/secrets';

const PERIOD_S = 30;
const RECOVERY_CODES = 10;

const totp = (secret: string, email: string) =>
  new TOTP({ issuer: 'adtrail', label: email, secret: Secret.fromBase32(secret), period: PERIOD_S });

export const newSecret = () => new Secret({ size: 20 }).base32;

/** What an authenticator app reads, also as a QR code. */
export const buildUri = (secret: string, email: string) => totp(secret, email).toString();

/** The step that a code belongs to, with a step of tolerance to either side; null for a wrong code. */
export function findStep(secret: string, code: string, now: number): number | null {
  const delta = totp(secret, '').validate({ token: code.replaceAll(' ', ''), timestamp: now, window: 1 });
  return delta === null ? null : Math.floor(now / 1000 / PERIOD_S) + delta;
}

/** Codes for who has lost the app; only their hashes are kept. */
export const newRecoveryCodes = () =>
  Array.from({ length: RECOVERY_CODES }, () => (randomBytes(10).toString('hex').match(/.{5}/g) as string[]).join('-'));

export const recoveryHash = (code: string) => sha256(code.trim().toLowerCase());
