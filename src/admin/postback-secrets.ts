/** Secrets of partners and projects: `{secret:name}` stands for them in templates (docs/contract/postbacks.md). */
import { change, type Actor } from '../configuration/change';
import { listSecretNames } from '../configuration/postbacks/template';
import { showHeaders } from '../configuration/postbacks/headers';
import type { Postgres, Queryable } from '../db/postgres';
import { ApiError } from '../errors';
import type { Seals } from '../lib/seal';
import { MOST, type SecretEntry } from './postback-schema';
import * as queries from './queries';
import { mustExist } from './must-exist';
import type { Tally } from './upsert';
import { refuseDuplicates } from './workspace-fields';

/** Whose secrets and templates: those of a partner, or of a project. */
export type Owner = { readonly partnerId: number } | { readonly projectId: number };

const readOwnerIds = (owner: Owner): [number | null, number | null] =>
  'partnerId' in owner ? [owner.partnerId, null] : [null, owner.projectId];

const mustBeThere = (db: Queryable, owner: Owner) =>
  'partnerId' in owner ? mustExist(db, 'partners', owner.partnerId) : mustExist(db, 'projects', owner.projectId);

/** The names of what an owner has. */
export const readSecretNames = async (db: Queryable, owner: Owner): Promise<ReadonlySet<string>> =>
  new Set((await queries.readPostbackSecrets(db, ...readOwnerIds(owner))).map(({ name }) => name));

/** Names, and when they were set. @throws ApiError 404 where there is no such owner. */
export async function listSecrets(db: Queryable, owner: Owner) {
  await mustBeThere(db, owner);
  return (await queries.readPostbackSecrets(db, ...readOwnerIds(owner))).map(shown);
}

/** Makes or replaces a secret. @throws ApiError 400, 404. */
export function putSecret(postgres: Postgres, actor: Actor, owner: Owner, name: string, value: string, seals: Seals) {
  return change(postgres, actor, async (db) => {
    await mustBeThere(db, owner);
    await put(db, { created: 0, updated: 0, unchanged: 0 }, owner, [{ name, value }], seals, 'postback_secrets');
    const rows = await queries.readPostbackSecrets(db, ...readOwnerIds(owner));
    return shown(rows.find((row) => row.name === name) as queries.PostbackSecretRow);
  });
}

/** @throws ApiError 404 where there is none, 409 while a template names it. */
export function deleteSecret(postgres: Postgres, actor: Actor, owner: Owner, name: string, seals: Seals) {
  return change(postgres, actor, async (db) => {
    await mustBeThere(db, owner);
    const seal = seals.of('postback headers');
    const user = (await queries.readTemplates(db, ...readOwnerIds(owner))).find((template) =>
      listSecretNames({ ...template, headers: showHeaders(seal, template.headers) }).includes(name),
    );
    if (user) throw new ApiError(409, `The template of ${user.event} uses it.`);
    const [deleted] = await queries.deletePostbackSecret(db, ...readOwnerIds(owner), name);
    if (!deleted) throw new ApiError(404, 'Postback secret not found.');
  });
}

/** Sets what a workspace document says. @throws ApiError 400 naming the field. */
export async function applyPostbackSecrets(
  at: { readonly db: Queryable; readonly result: Tally; readonly seals: Seals },
  owner: Owner,
  entries: readonly SecretEntry[],
  of: string,
): Promise<void> {
  const field = `${of}.postback_secrets`;
  refuseDuplicates(
    field,
    entries.map(({ name }) => name),
  );
  await put(at.db, at.result, owner, entries, at.seals, field);
}

async function put(
  db: Queryable,
  tally: Tally,
  owner: Owner,
  entries: readonly SecretEntry[],
  seals: Seals,
  field: string,
): Promise<void> {
  if (entries.length === 0) return;
  const { seal, open } = seals.of('postback secrets');
  const present = new Map(
    (await queries.readPostbackSecrets(db, ...readOwnerIds(owner))).map((row) => [row.name, row]),
  );
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
      tally.unchanged += 1;
      continue;
    }
    await queries.putPostbackSecret(db, ...readOwnerIds(owner), name, seal(value));
    if (before) tally.updated += 1;
    else tally.created += 1;
  }
}

const shown = ({ name, created_at, changed_at }: queries.PostbackSecretRow) => ({ name, created_at, changed_at });
