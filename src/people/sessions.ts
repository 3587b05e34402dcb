/**
 * Sessions of browsers: a random cookie, of which the database has the hash only. One ends 30 days after its last use,
 * and 90 days after its beginning at the latest.
 */
import type { Postgres, Queryable } from '../db/postgres';
import { newSecret, sha256 } from '../lib/secrets';
import { DAY_MS } from '../lib/time';
import { collectRoles, type Person } from '../http/permissions';
import * as queries from './queries';

const IDLE_DAYS = 30;
export const SESSION_DAYS = 90;
/** How often a session that is used is written. */
const TOUCH_MS = 60_000;
/** What is kept of a User-Agent. */
const MAX_USER_AGENT = 300;
/** A cookie of ours has a prefix and 32 characters. */
const MAX_COOKIE = 100;

/** Where a person signs in from. */
export interface Browser {
  readonly address: string;
  readonly userAgent: string;
}

const sessionEnd = (now: number) => new Date(now + IDLE_DAYS * DAY_MS);

/** Begins a session and returns its cookie. Sessions that have ended are forgotten on the way. */
export async function beginSession(db: Queryable, userId: number, browser: Browser, now: number): Promise<string> {
  const cookie = newSecret('session');
  const userAgent = browser.userAgent.replace(/[^\x20-\x7e]/g, '').slice(0, MAX_USER_AGENT);
  await queries.forgetOldSessions(db, new Date(now));
  await queries.createSession(db, sha256(cookie), userId, browser.address, userAgent, new Date(now), sessionEnd(now));
  return cookie;
}

/** The person whose session has this cookie; undefined when it has ended or never was. */
export async function findPerson(postgres: Postgres, cookie: string, now: number): Promise<Person | undefined> {
  if (cookie.length > MAX_COOKIE) return undefined;
  const earliest = new Date(now - SESSION_DAYS * DAY_MS);
  const [row] = await queries.findPerson(postgres, sha256(cookie), new Date(now), earliest);
  if (!row) return undefined;
  if (now - row.last_seen_at.getTime() > TOUCH_MS)
    await queries.touchSession(postgres, row.session_id, new Date(now), sessionEnd(now), SESSION_DAYS);
  const { id, name, email, session_id: sessionId, since, memberships } = row;
  return { id, name, email, sessionId, since, ...collectRoles(memberships) };
}
