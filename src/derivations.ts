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

/** One insert into a table: when it was stored, in milliseconds, and how many rows it has. */
export interface Insert {
  readonly stored: number;
  readonly rows: number;
}

/**
 * Tells which inserts have not been taken in yet. All rows of an insert carry one storage time, so those that were taken
 * in need not be again although their time is looked at for a while.
 */
export class Arrivals {
  private seen = new Map<number, number>();

  /** The storage times, from the first on and before the second, among which all new inserts are, and the rows in between. */
  newIn(inserts: readonly Insert[]): { from: number; to: number; rows: number } | undefined {
    const fresh = inserts.filter(({ stored, rows }) => this.seen.get(stored) !== rows).map(({ stored }) => stored);
    if (fresh.length === 0) return undefined;
    const from = fresh.reduce((a, b) => Math.min(a, b));
    const to = fresh.reduce((a, b) => Math.max(a, b)) + 1;
    return { from, to, rows: inserts.filter(({ stored }) => stored >= from && stored < to).reduce((sum, { rows }) => sum + rows, 0) };
  }

  /** Everything in these inserts has been taken in. */
  remember(inserts: readonly Insert[]): void {
    this.seen = new Map(inserts.map(({ stored, rows }) => [stored, rows]));
  }
}
