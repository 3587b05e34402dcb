/** Single changes of the keys of a project (docs/contract/workspace.md). */
import { change, type Actor } from '../configuration/change';
import { mustExist } from '../configuration/must-exist';
import type { KeyKind } from '../configuration/queries';
import type { Postgres } from '../db/postgres';
import { ApiError } from '../errors';
import { newSecret, sha256 } from '../lib/secrets';
import * as queries from './queries';

/** Creates a key of a project beside those that it has. */
export function createKey(postgres: Postgres, actor: Actor, projectId: number, kind: KeyKind) {
  return change(postgres, actor, async (db) => {
    await mustExist(db, 'projects', projectId);
    const key = newSecret(kind);
    const [row] = await queries.createKey(db, projectId, kind, sha256(key));
    return { ...row, key };
  });
}

/** Revokes one key of a project, at once and for good. */
export function revokeKey(postgres: Postgres, actor: Actor, projectId: number, keyId: number): Promise<void> {
  return change(postgres, actor, async (db) => {
    const [row] = await queries.revokeKey(db, projectId, keyId);
    if (!row) throw new ApiError(404, 'Key not found.');
  });
}
