/** Single changes of the webhooks of a project (docs/contract/postbacks.md). */
import { change, type Actor } from '../configuration/change';
import { mustExist } from '../configuration/must-exist';
import { MOST } from '../configuration/postbacks/fields';
import { addSecret, refuseWebhook } from '../configuration/postbacks/stored-webhooks';
import type { Postgres, Queryable, Row } from '../db/postgres';
import { ApiError } from '../errors';
import type { Seal } from '../lib/seal';
import { newSigningSecret } from '../lib/secrets';
import * as queries from './queries';
import type { WebhookEntry } from './schema';

/** @throws ApiError 404 when there is no such project. */
export async function listWebhooks(db: Queryable, projectId: number) {
  await mustExist(db, 'projects', projectId);
  return queries.readWebhooks(db, projectId);
}

/** Makes a webhook and shows its secret, this once. */
export function createWebhook(
  postgres: Postgres,
  actor: Actor,
  projectId: number,
  given: WebhookEntry,
  seal: Seal,
  now: number,
) {
  return change(postgres, actor, async (db) => {
    const present = await listWebhooks(db, projectId);
    refuseWebhook(given, '');
    refuseTaken(present, given.url);
    if (present.length >= MOST.webhooks) throw new ApiError(400, `webhooks: there may be at most ${MOST.webhooks}`);
    const [made] = await queries.createWebhook(db, projectId, given.url, given.events, given.enabled ?? true);
    const id = made?.id as number;
    const secret = newSigningSecret();
    await addSecret(db, id, seal.seal(secret), now);
    return { ...(await findWebhook(db, projectId, id)), secret };
  });
}

/** Replaces URL, events and whether it is on; its secrets stay. */
export function putWebhook(postgres: Postgres, actor: Actor, projectId: number, id: number, given: WebhookEntry) {
  return change(postgres, actor, async (db) => {
    await findWebhook(db, projectId, id);
    refuseWebhook(given, '');
    const others = (await queries.readWebhooks(db, projectId)).filter((one) => one.id !== id);
    refuseTaken(others, given.url);
    await queries.changeWebhook(db, id, given.url, given.events, given.enabled ?? true);
    return findWebhook(db, projectId, id);
  });
}

/** Deletes a webhook with its secrets. */
export function deleteWebhook(postgres: Postgres, actor: Actor, projectId: number, id: number): Promise<void> {
  return change(postgres, actor, async (db) => {
    await findWebhook(db, projectId, id);
    await queries.deleteSecrets(db, id);
    await queries.deleteWebhook(db, id);
  });
}

/** Makes a new secret and shows it, this once. The one before signs for another 24 hours. */
export function rotateSecret(postgres: Postgres, actor: Actor, projectId: number, id: number, seal: Seal, now: number) {
  return change(postgres, actor, async (db) => {
    await findWebhook(db, projectId, id);
    const secret = newSigningSecret();
    const formerValidUntil = await addSecret(db, id, seal.seal(secret), now);
    return { secret, former_valid_until: formerValidUntil?.toISOString() ?? null };
  });
}

/** @throws ApiError 404 where the project has no such webhook. */
async function findWebhook(db: Queryable, projectId: number, id: number): Promise<Row> {
  const webhook = (await queries.readWebhooks(db, projectId)).find((one) => one.id === id);
  if (!webhook) throw new ApiError(404, 'Webhook not found.');
  return webhook;
}

function refuseTaken(present: readonly { url: string }[], url: string): void {
  if (present.some((one) => one.url === url)) throw new ApiError(409, 'The project has a webhook of this URL.');
}
