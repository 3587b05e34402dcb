/** Passwords: argon2id, a bounded number at a time, in the same time whether the account exists or not. */
import { Algorithm, hash, verify } from '@node-rs/argon2';
import { Semaphore } from 'async-mutex';
import { UnavailableError } from '../errors';

/** What OWASP asks of argon2id: 19 MiB, two passes, one lane. */
const COST = { algorithm: Algorithm.Argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Each takes a core for some 30 ms: they must not take the process from everybody else. */
const AT_A_TIME = 2;
const WAITING = 100;

const turns = new Semaphore(AT_A_TIME);
let waiting = 0;

/** @throws UnavailableError when too many wait for their turn. */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (waiting >= WAITING) throw new UnavailableError('Too many passwords are being checked');
  waiting += 1;
  try {
    return await turns.runExclusive(work);
  } finally {
    waiting -= 1;
  }
}

export const hashPassword = (password: string) => inTurn(() => hash(password, COST));

/** A hash of the same cost that no password has: what an unknown account is compared with, so that it takes as long. */
const NOBODY =
  `$argon2id$v=19$m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}` +
  `$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** Whether it is the password; with no hash it is not, and it takes as long. */
export async function isPassword(password: string, stored: string | null): Promise<boolean> {
  const fits = await inTurn(() => verify(stored ?? NOBODY, password));
  return fits && stored !== null;
}
