/** How an account proves that a domain is its own: by a TXT record (docs/contract/workspace.md). */
import { setTimeout as sleep } from 'node:timers/promises';

/** The part of node:dns that a proof asks. */
export interface TxtResolver {
  resolveTxt(name: string): Promise<string[][]>;
}

export interface ProofRecord {
  readonly type: 'TXT';
  readonly name: string;
  readonly value: string;
}

const WITHIN_MS = 3_000;
/** At most this many records at a name are read. */
const MAX_RECORDS = 50;

/** The record that proves a domain for the project with this token. The token is no secret: all can read the record. */
export const buildProofRecord = (name: string, token: string): ProofRecord => ({
  type: 'TXT',
  name: `_adtrail.${name}`,
  value: `adtrail-project=${token}`,
});

/** Whether DNS has that record now. One that fails, or does not answer in time, proves nothing. */
export async function isProven(resolver: TxtResolver, name: string, token: string): Promise<boolean> {
  const { name: at, value } = buildProofRecord(name, token);
  const late = sleep(WITHIN_MS, undefined, { ref: false }).then(() => []);
  const found = await Promise.race([resolver.resolveTxt(at), late]).catch(() => []);
  return found.slice(0, MAX_RECORDS).some((parts) => parts.join('').trim() === value);
}
