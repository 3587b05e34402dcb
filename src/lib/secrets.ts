/** Keys and tokens: how they are made, and the only form in which they are kept. */
import crypto from 'node:crypto';

/** The SHA-256 of a secret as 64 hexadecimal digits, the form in which it is stored and looked up. */
export function sha256(secret: string): string {
  return crypto.hash('sha256', secret, 'hex');
}

/** A new secret with 192 random bits; the prefix tells people and scanners what they found. */
export function newSecret(prefix: string): string {
  return `${prefix}_${crypto.randomBytes(24).toString('base64url')}`;
}

/** How many of the 32 random characters of a secret are shown for good: 156 random bits stay secret. */
const SHOWN = 6;

/** How a secret that `newSecret` made begins, by which people tell it from others. */
export const readPrefix = (secret: string): string => secret.slice(0, secret.length - 32 + SHOWN);

/** A new secret that signs what a webhook is sent, in the form of Standard Webhooks. */
export const newSigningSecret = () => `whsec_${crypto.randomBytes(32).toString('base64')}`;

/** Whether a text is such a secret: of 24 to 64 bytes, written in one way only. */
export function isSigningSecret(text: string): boolean {
  const encoded = text.slice('whsec_'.length);
  const bytes = Buffer.from(encoded, 'base64');
  const isLongEnough = bytes.length >= 24 && bytes.length <= 64;
  return text.startsWith('whsec_') && isLongEnough && bytes.toString('base64') === encoded;
}

/** Whether two secrets are the same, in a time that does not depend on where they differ. */
export function sameSecret(given: string, expected: string): boolean {
  return crypto.timingSafeEqual(Buffer.from(sha256(given)), Buffer.from(sha256(expected)));
}

/** A secret that follows from another and a purpose: nobody who knows the one for a purpose learns more. */
export const derivedSecret = (secret: string, purpose: string) =>
  crypto.createHmac('sha256', secret).update(purpose).digest('hex');
