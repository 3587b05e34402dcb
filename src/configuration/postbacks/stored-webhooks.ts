/** What webhooks may be, and how the secrets that sign what they are sent are stored (docs/contract/postbacks.md). */
import type { Queryable } from '../../db/postgres';
import { postgresQuery } from '../../db/sql';
import { ApiError } from '../../errors';
import { DAY_MS } from '../../lib/time';
import { webhookUrlProblem } from './template';

/** How long a secret still signs beside the one that has replaced it. */
const FORMER_SECRET_MS = DAY_MS;

const retireSecrets = postgresQuery<{ valid_until: Date }>('configuration.retire-webhook-secrets');

/** Makes a secret, sealed, the newest of a webhook. Answers until when the one before it signs too. */
export async function addSecret(db: Queryable, webhookId: number, secret: string, now: number): Promise<Date | null> {
  const [former] = await retireSecrets(db, webhookId, new Date(now + FORMER_SECRET_MS));
  await db.rows('INSERT INTO webhook_secrets (webhook_id, secret) VALUES ($1, $2)', [webhookId, secret]);
  return former?.valid_until ?? null;
}

/** @throws ApiError 400 naming the field, which begins with `prefix`. */
export function refuseWebhook(
  { url, events }: { readonly url: string; readonly events: readonly string[] },
  prefix: string,
): void {
  const problem = webhookUrlProblem(url);
  if (problem !== undefined) throw new ApiError(400, `${prefix}url: ${problem}`);
  if (events.length > 1 && events.includes('*')) throw new ApiError(400, `${prefix}events: "*" stands alone`);
}
