/**
 * Creates and updates the rows of one kind as a document asks for, in few statements.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Queryable, Row } from '../db/postgres';
import { Slice } from '../lib/slices';

/** How many objects of a document were made, changed, and found as they should be. */
export interface Tally {
  created: number;
  updated: number;
  unchanged: number;
}

/** Before anything is done. */
export const noTally = (): Tally => ({ created: 0, updated: 0, unchanged: 0 });

export interface Kind {
  readonly table: string;
  /** The columns by which a row of the document is recognised. */
  readonly key: readonly string[];
  /** What a new row has where the document is silent. */
  readonly defaults: Row;
  /** Columns that every written row gets, changed or not, and that count for nothing in the comparison. */
  readonly stamp?: Row;
}

/** Each row is noted in the audit log too: a statement with many more would take too long. */
const ROWS_AT_ONCE = 20_000;

const encodeRowKey = (kind: Kind, row: Row) => JSON.stringify(kind.key.map((column) => row[column]));
const comparable = (value: unknown) => (value instanceof Date ? value.getTime() : value);

function differs(existing: unknown, desired: unknown): boolean {
  if (existing instanceof Date) return existing.getTime() !== new Date(desired as string).getTime();
  return !isDeepStrictEqual(comparable(existing), comparable(desired));
}

/**
 * Brings the rows of a table to `desired`, whose undefined values mean: leave as it is. Returns the rows as they are
 * afterwards, in the order of `desired`.
 */
export async function upsert(
  db: Queryable,
  tally: Tally,
  kind: Kind,
  existing: readonly Row[],
  desired: readonly Row[],
): Promise<Row[]> {
  const byKey = new Map(existing.map((row) => [encodeRowKey(kind, row), row]));
  const creates: Row[] = [];
  const updates: Row[] = [];
  const slice = new Slice();
  for (const wanted of desired) {
    await slice.rest();
    const given = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
    const present = byKey.get(encodeRowKey(kind, wanted));
    if (!present) creates.push({ ...kind.defaults, ...given, ...kind.stamp });
    else if (Object.entries(given).some(([column, value]) => differs(present[column], value)))
      updates.push({ ...present, ...given, ...kind.stamp });
  }
  tally.created += creates.length;
  tally.updated += updates.length;
  tally.unchanged += desired.length - creates.length - updates.length;
  for (const [work, rows] of [
    [insert, creates],
    [update, updates],
  ] as const)
    for (let i = 0; i < rows.length; i += ROWS_AT_ONCE)
      for (const row of await work(db, kind, rows.slice(i, i + ROWS_AT_ONCE))) byKey.set(encodeRowKey(kind, row), row);
  return desired.map((wanted) => byKey.get(encodeRowKey(kind, wanted)) as Row);
}

async function insert(db: Queryable, { table }: Kind, rows: readonly Row[]): Promise<Row[]> {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))].join(', ');
  return db.rows(
    `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM jsonb_populate_recordset(NULL::${table}, $1) RETURNING *`,
    [JSON.stringify(rows)],
  );
}

async function update(db: Queryable, { table, key }: Kind, rows: readonly Row[]): Promise<Row[]> {
  const changed = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter(
    (column) => column !== 'id' && !key.includes(column),
  );
  const assignments = changed.map((column) => `${column} = wanted.${column}`).join(', ');
  const same = key.map((column) => `present.${column} = wanted.${column}`).join(' AND ');
  return db.rows(
    `UPDATE ${table} AS present SET ${assignments} FROM jsonb_populate_recordset(NULL::${table}, $1) AS wanted ` +
      `WHERE ${same} RETURNING present.*`,
    [JSON.stringify(rows)],
  );
}
