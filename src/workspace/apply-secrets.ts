/** Applies the secrets that are known by their hashes alone: tokens of partners and keys of projects. */
import type { KeyKind } from '../configuration/queries';
import type { Row } from '../db/postgres';
import { ApiError } from '../errors';
import { newSecret, readPrefix, sha256 } from '../lib/secrets';
import type { Applying } from './applying';

interface Secrets {
  readonly table: 'partner_tokens' | 'project_keys';
  readonly owner: Row;
  readonly kind: 'partner_token' | KeyKind;
  readonly label: Row;
  readonly fixed: readonly string[];
  readonly field: string;
}

/**
 * Stores the fixed secrets of an owner, or generates one where it never had any: a revoked one is not replaced here.
 */
export async function applySecrets(
  { db, result }: Pick<Applying, 'db' | 'result'>,
  { table, owner, kind, label, fixed, field }: Secrets,
): Promise<void> {
  const columns = Object.keys(owner);
  const own = await db.rows(
    `SELECT * FROM ${table} WHERE ${columns.map((column, i) => `${column} = $${i + 1}`).join(' AND ')}`,
    Object.values(owner),
  );
  const generated = own.length === 0 && fixed.length === 0 ? newSecret(kind) : undefined;
  if (generated) result.secrets.push({ kind, ...label, value: generated });
  for (const [i, secret] of (generated ? [generated] : fixed).entries()) {
    const hash = sha256(secret);
    const [present] = await db.rows(`SELECT * FROM ${table} WHERE sha256 = $1`, [hash]);
    if (!present) {
      // Only generated keys show a prefix: nobody knows how much of a given one is random.
      const isShown = table === 'project_keys' && generated !== undefined;
      const row: Row = { sha256: hash, ...owner, ...(isShown && { prefix: readPrefix(secret) }) };
      const values = Object.keys(row).map((_, j) => `$${j + 1}`);
      await db.rows(
        `INSERT INTO ${table} (${Object.keys(row).join(', ')}) VALUES (${values.join(', ')})`,
        Object.values(row),
      );
      result.created += 1;
    } else if (columns.some((column) => present[column] !== owner[column])) {
      throw new ApiError(400, `${field}[${i}]: this secret belongs to somebody else`);
    } else if (present.revoked_at) {
      result.skipped.push({ kind, ...label, reason: 'revoked' });
    } else {
      result.unchanged += 1;
    }
  }
}
