/** How far each derivation of ClickHouse tables has come, kept in PostgreSQL so that a restart goes on from there. */
import type { Queryable } from './db/postgres';
import { readQuery } from './db/sql';

const read = readQuery('sql', 'derivations.read');
const advance = readQuery('sql', 'derivations.advance');

/**
 * A row carries the time at which its insert began, so it becomes visible a little after that time: what is read again
 * must be longer than any insert takes.
 */
export const OVERLAP_MS = 10_000;

/** From which storage time on, in milliseconds, a derivation has to look: 0 before its first turn. */
export async function derivedFrom(db: Queryable, name: string): Promise<number> {
  const [row] = await db.rows<{ derived_until: Date }>(read, [name]);
  return row ? row.derived_until.getTime() - OVERLAP_MS : 0;
}

/** Everything stored before `until`, in milliseconds, has been taken in. */
export async function setDerivedUntil(db: Queryable, name: string, until: number): Promise<void> {
  await db.rows(advance, [name, new Date(until)]);
}
