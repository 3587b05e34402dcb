/**
 * The columns of PostgreSQL whose texts are sealed. What earlier versions left there in plain text, or sealed with a
 * former key, is sealed with the key of now as the service starts.
 */
import type { Purpose, Seals } from '../lib/seal';
import { LOCKS, tryWithLock } from './advisory-lock';
import type { Postgres, Queryable } from './postgres';

interface SealedColumn {
  readonly table: string;
  readonly column: string;
  readonly purpose: Purpose;
}

const COLUMNS: readonly SealedColumn[] = [
  { table: 'users', column: 'totp_secret', purpose: 'second factors' },
  { table: 'webhook_secrets', column: 'secret', purpose: 'webhook secrets' },
  { table: 'postback_secrets', column: 'secret', purpose: 'postback secrets' },
  { table: 'erasure_requests', column: 'value', purpose: 'erasure requests' },
  { table: 'erasure_requests', column: 'needles', purpose: 'erasure requests' },
  { table: 'notice_receivers', column: 'url', purpose: 'receivers' },
  { table: 'notice_receivers', column: 'secret', purpose: 'receivers' },
  { table: 'export_keys', column: 'access_key', purpose: 'export keys' },
  { table: 'export_keys', column: 'secret', purpose: 'export keys' },
];

/** Rows that are sealed by one transaction. */
const BATCH = 500;

/** Texts that the keys of a process do not open. */
export interface Unreadable {
  readonly what: Purpose;
  readonly count: number;
}

/**
 * Seals what is not sealed with the key of now. One process at a time does; killed anywhere, the next start continues.
 * What no key opens stays as it is.
 */
export async function sealColumns(postgres: Postgres, seals: Seals): Promise<void> {
  const batches: Batch[] = [
    ...COLUMNS.map(
      (column): Batch =>
        (...of) =>
          sealBatch(column, ...of),
    ),
    sealHeaderBatch,
  ];
  for (const batch of batches) {
    let after = 0;
    const next = () => tryWithLock(postgres, LOCKS.sealing, (db) => batch(db, seals, after));
    for (let last = await next(); last !== undefined && last > after; last = await next()) after = last;
  }
}

/** Resolves with the ID of the last row after that one that was looked at; 0 where there was none. */
type Batch = (db: Queryable, seals: Seals, after: number) => Promise<number>;

async function sealBatch(
  { table, column, purpose }: SealedColumn,
  db: Queryable,
  seals: Seals,
  after: number,
): Promise<number> {
  const rows = await db.rows<{ id: number; text: string }>(
    `SELECT id::float8 AS id, ${column} AS text FROM ${table} WHERE id > $1 AND NOT starts_with(${column}, $2) ` +
      'ORDER BY id LIMIT $3 FOR UPDATE',
    [after, seals.mark, BATCH],
  );
  const { seal, open } = seals.of(purpose);
  const sealed = rows.flatMap(({ id, text }) => {
    try {
      return [{ id, text: seal(open(text)) }];
    } catch {
      return [];
    }
  });
  await db.rows(
    `UPDATE ${table} SET ${column} = sealed.text FROM unnest($1::bigint[], $2::text[]) AS sealed (id, text) ` +
      `WHERE ${table}.id = sealed.id`,
    [sealed.map(({ id }) => id), sealed.map(({ text }) => text)],
  );
  return rows.at(-1)?.id ?? 0;
}

/** Values of headers of templates. The audit log does not note it: nothing has changed. */
async function sealHeaderBatch(db: Queryable, seals: Seals, after: number): Promise<number> {
  const rows = await db.rows<{ id: number; headers: Record<string, string> }>(
    'SELECT id, headers FROM postback_templates WHERE id > $1 AND EXISTS (SELECT FROM jsonb_each_text(headers) AS ' +
      'header WHERE NOT starts_with(header.value, $2)) ORDER BY id LIMIT $3',
    [after, seals.mark, BATCH],
  );
  const { seal, open } = seals.of('postback headers');
  const again = (text: string) => {
    try {
      return text.startsWith(seals.mark) ? text : seal(open(text));
    } catch {
      return text;
    }
  };
  if (rows.length > 0) {
    await db.rows('ALTER TABLE postback_templates DISABLE TRIGGER note_change');
    for (const { id, headers } of rows) {
      const sealed = Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, again(text)]));
      await db.rows('UPDATE postback_templates SET headers = $2 WHERE id = $1 AND headers = $3', [id, sealed, headers]);
    }
    await db.rows('ALTER TABLE postback_templates ENABLE TRIGGER note_change');
  }
  return rows.at(-1)?.id ?? 0;
}

/** How many texts the keys of this process do not open, once what they open is sealed with the key of now. */
export async function readUnreadable(db: Queryable, seals: Seals): Promise<Unreadable[]> {
  const found = new Map<Purpose, number>();
  for (const { table, column, purpose } of COLUMNS) {
    const [row] = await db.rows<{ count: number }>(
      `SELECT count(*)::integer AS count FROM ${table} WHERE starts_with(${column}, 'sealed:') ` +
        `AND NOT starts_with(${column}, $1)`,
      [seals.mark],
    );
    found.set(purpose, (found.get(purpose) ?? 0) + (row?.count ?? 0));
  }
  const [headers] = await db.rows<{ count: number }>(
    'SELECT count(*)::integer AS count FROM postback_templates, jsonb_each_text(headers) AS header ' +
      "WHERE starts_with(header.value, 'sealed:') AND NOT starts_with(header.value, $1)",
    [seals.mark],
  );
  found.set('postback headers', headers?.count ?? 0);
  return [...found].flatMap(([what, count]) => (count > 0 ? [{ what, count }] : []));
}

/** What cannot be read, in words. */
export const describeUnreadable = (unreadable: readonly Unreadable[]): string =>
  unreadable.map(({ what, count }) => `${count} ${what}`).join(', ');
