/** Single changes of the secrets of partners and projects (docs/contract/postbacks.md). */
import { change, type Actor } from '../configuration/change';
import { mustExist } from '../configuration/must-exist';
import { showHeaders } from '../configuration/postbacks/headers';
import {
  listOwnerIds,
  putSecrets,
  readSecrets,
  type Owner,
  type SecretRow,
} from '../configuration/postbacks/stored-secrets';
import { readTemplates } from '../configuration/postbacks/stored-templates';
import { listSecretNames } from '../configuration/postbacks/template';
import { noTally } from '../configuration/upsert';
import type { Postgres, Queryable } from '../db/postgres';
import { ApiError } from '../errors';
import type { Seals } from '../lib/seal';
import * as queries from './queries';

/** @throws ApiError 404 where there is no such owner. */
export const mustBeThere = (db: Queryable, owner: Owner) =>
  'partnerId' in owner ? mustExist(db, 'partners', owner.partnerId) : mustExist(db, 'projects', owner.projectId);

/** Names, and when they were set. @throws ApiError 404 where there is no such owner. */
export async function listSecrets(db: Queryable, owner: Owner) {
  await mustBeThere(db, owner);
  return (await readSecrets(db, owner)).map(present);
}

/** Makes or replaces a secret. @throws ApiError 400, 404. */
export function putSecret(postgres: Postgres, actor: Actor, owner: Owner, name: string, value: string, seals: Seals) {
  return change(postgres, actor, async (db) => {
    await mustBeThere(db, owner);
    await putSecrets({ db, result: noTally(), seals }, owner, [{ name, value }], 'postback_secrets');
    return present((await readSecrets(db, owner)).find((row) => row.name === name) as SecretRow);
  });
}

/** @throws ApiError 404 where there is none, 409 while a template names it. */
export function deleteSecret(postgres: Postgres, actor: Actor, owner: Owner, name: string, seals: Seals) {
  return change(postgres, actor, async (db) => {
    await mustBeThere(db, owner);
    const seal = seals.of('postback headers');
    const user = (await readTemplates(db, owner)).find((template) =>
      listSecretNames({ ...template, headers: showHeaders(seal, template.headers) }).includes(name),
    );
    if (user) throw new ApiError(409, `The template of ${user.event} uses it.`);
    const [deleted] = await queries.deleteSecret(db, ...listOwnerIds(owner), name);
    if (!deleted) throw new ApiError(404, 'Postback secret not found.');
  });
}

const present = ({ name, created_at, changed_at }: SecretRow) => ({ name, created_at, changed_at });
