/** Stores secrets of partners and projects, which templates name as `{secret:name}` (docs/contract/postbacks.md). */
import type { Queryable } from '../../db/postgres';
import { postgresQuery } from '../../db/sql';
import { ApiError } from '../../errors';
import type { Seals } from '../../lib/seal';
import type { Tally } from '../upsert';
import { MOST } from './fields';

/** Whose secrets and templates: those of a partner, or of a project. */
export type Owner = { readonly partnerId: number } | { readonly projectId: number };

/** Partner and project, one of which is null: how statements name an owner. */
export const listOwnerIds = (owner: Owner): [partner: number | null, project: number | null] =>
  'partnerId' in owner ? [owner.partnerId, null] : [null, owner.projectId];

export interface SecretRow extends Record<string, unknown> {
  readonly name: string;
  /** Sealed. */
  readonly secret: string;
  readonly created_at: Date;
  readonly changed_at: Date;
}

const selectSecrets = postgresQuery<SecretRow>('configuration.postback-secrets');
const put = postgresQuery('configuration.put-postback-secret');

/** Everything that an owner has, in the order of names. */
export const readSecrets = (db: Queryable, owner: Owner) => selectSecrets(db, ...listOwnerIds(owner));

export const readSecretNames = async (db: Queryable, owner: Owner): Promise<ReadonlySet<string>> =>
  new Set((await readSecrets(db, owner)).map(({ name }) => name));

/** Makes or replaces secrets. @throws ApiError 400 naming the field, for too many. */
export async function putSecrets(
  { db, result, seals }: { readonly db: Queryable; readonly result: Tally; readonly seals: Seals },
  owner: Owner,
  entries: readonly { readonly name: string; readonly value: string }[],
  field: string,
): Promise<void> {
  if (entries.length === 0) return;
  const { seal, open } = seals.of('postback secrets');
  const present = new Map((await readSecrets(db, owner)).map((row) => [row.name, row]));
  const isSame = (sealed: string, value: string) => {
    try {
      return open(sealed) === value;
    } catch {
      return false;
    }
  };
  const names = new Set([...present.keys(), ...entries.map(({ name }) => name)]);
  if (names.size > MOST.postback_secrets)
    throw new ApiError(400, `${field}: there may be at most ${MOST.postback_secrets}`);
  for (const { name, value } of entries) {
    const before = present.get(name);
    if (before && isSame(before.secret, value)) {
      result.unchanged += 1;
      continue;
    }
    await put(db, ...listOwnerIds(owner), name, seal(value));
    if (before) result.updated += 1;
    else result.created += 1;
  }
}
