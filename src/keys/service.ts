/** Single changes of the keys of a project (docs/contract/workspace.md). */
import { change, type Actor } from '../configuration/change';
import { mustExist } from '../configuration/must-exist';
import type { KeyKind } from '../configuration/queries';
import type { Postgres } from '../db/postgres';
import { ApiError } from '../errors';
import { newSecret, readPrefix, sha256 } from '../lib/secrets';
import { mendText } from '../lib/text';
import * as queries from './queries';

/** Creates a key of a project beside those that it has. */
export function createKey(
  postgres: Postgres,
  actor: Actor,
  projectId: number,
  { kind, name }: { kind: KeyKind; name?: string | null },
) {
  return change(postgres, actor, async (db) => {
    await mustExist(db, 'projects', projectId);
    const key = newSecret(kind);
    const [row] = await queries.createKey(db, projectId, kind, sha256(key), readName(name), readPrefix(key));
    return { ...row, key };
  });
}

/** Calls a key what people call it; an empty name takes the name away. */
export function renameKey(postgres: Postgres, actor: Actor, projectId: number, keyId: number, name: string | null) {
  return change(postgres, actor, async (db) => {
    const [row] = await queries.renameKey(db, projectId, keyId, readName(name));
    if (!row) throw new ApiError(404, 'Key not found.');
    return row;
  });
}

const readName = (name: string | null | undefined) => mendText(name ?? '').trim() || null;

/** Revokes one key of a project, at once and for good. */
export function revokeKey(postgres: Postgres, actor: Actor, projectId: number, keyId: number): Promise<void> {
  return change(postgres, actor, async (db) => {
    const [row] = await queries.revokeKey(db, projectId, keyId);
    if (!row) throw new ApiError(404, 'Key not found.');
  });
}
