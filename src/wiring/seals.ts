/** Wires what secrets are sealed with at rest. */
import type { Config } from '../config';
import { createSeals, type Seals } from '../lib/seal';

/** Versions before there was a separate key sealed with the admin token. */
export const wireSeals = (
  { sealKeyBefore }: Pick<Config, 'sealKeyBefore'>,
  { sealKey, adminToken }: { readonly sealKey: string; readonly adminToken: string },
): Seals => createSeals(sealKey, [...(sealKeyBefore === undefined ? [] : [sealKeyBefore]), adminToken]);
