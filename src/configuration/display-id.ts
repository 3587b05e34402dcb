/** Display IDs of campaigns: the `c` of their links (docs/contract/workspace.md). */
import { randomInt } from 'node:crypto';

/** Paths of the service: on a tracking domain a one-segment path is a display_id, so none may look like these. */
export const SERVICE_PATHS: readonly string[] = [
  'admin',
  'api',
  'collect',
  'docs',
  'healthz',
  'metrics',
  'qr',
  'readyz',
  'v1',
];

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** A new display_id: 10 characters of A-Za-z0-9. */
export const newDisplayId = () => Array.from({ length: 10 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');

export const isDisplayId = (text: string) => /^[A-Za-z0-9_-]{1,64}$/.test(text) && !SERVICE_PATHS.includes(text);
