/** Links by which somebody unsubscribes from an alert or a schedule without signing in (docs/contract/alerts.md). */
import type { Queryable } from '../db/postgres';
import { postgresQuery } from '../db/sql';
import type { Seals } from '../lib/seal';
import { ownerIds, type Owner } from './receivers';

/** Where the page is; what follows is the token. */
export const UNSUBSCRIBE_PATH = '/unsubscribe';
/** Longer than any token that was made. */
const MAX_TOKEN = 1_000;

export interface Subscription {
  readonly owner: Owner;
  readonly address: string;
}

const queries = {
  unsubscribe: postgresQuery('notices.unsubscribe'),
  subject: postgresQuery<{ name: string }>('notices.subject-of-unsubscription'),
};

/** The token says who unsubscribes from what, sealed: nobody makes one of somebody else's address. */
export function writeToken(seals: Seals, { owner, address }: Subscription): string {
  const sealed = seals.of('unsubscribe links').seal(JSON.stringify([...ownerIds(owner), address]));
  return Buffer.from(sealed).toString('base64url');
}

/** Undefined for what is no token of this installation. */
export function readToken(seals: Seals, token: string): Subscription | undefined {
  if (token.length > MAX_TOKEN) return undefined;
  const sealed = Buffer.from(token, 'base64url').toString();
  // What is not sealed would be opened as it is.
  if (!sealed.startsWith('sealed:')) return undefined;
  try {
    const [alertId, scheduleId, address] = JSON.parse(seals.of('unsubscribe links').open(sealed)) as [
      number | null,
      number | null,
      string,
    ];
    return { owner: alertId === null ? { scheduleId: scheduleId as number } : { alertId }, address };
  } catch {
    return undefined;
  }
}

export const buildUnsubscribeUrl = (publicUrl: string, seals: Seals, subscription: Subscription) =>
  `${publicUrl}${UNSUBSCRIBE_PATH}/${writeToken(seals, subscription)}`;

/** Repeating it changes nothing; of what is gone there is nothing to unsubscribe from. */
export const unsubscribe = (db: Queryable, { owner, address }: Subscription) =>
  queries.unsubscribe(db, ...ownerIds(owner), address.toLowerCase());

/** What the alert or schedule is called; undefined where it is gone. */
export const readSubject = async (db: Queryable, { owner }: Subscription) =>
  (await queries.subject(db, ...ownerIds(owner)))[0]?.name;
