/** Applies the webhooks of a project and the secrets that sign what they are sent (docs/contract/postbacks.md). */
import { MOST } from '../configuration/postbacks/fields';
import { inUseAgain } from '../configuration/postbacks/stored-templates';
import { addSecret, refuseWebhook } from '../configuration/postbacks/stored-webhooks';
import { ApiError } from '../errors';
import type { Seal } from '../lib/seal';
import { isSigningSecret, newSigningSecret } from '../lib/secrets';
import type { Applying } from './applying';
import type { WebhookEntry } from './document';
import { refuseDuplicates } from './fields';
import * as queries from './queries';

interface ProjectName {
  readonly id: number;
  readonly name: string;
}

/** @throws ApiError 400 naming the field. */
export async function applyWebhooks(at: Applying, project: ProjectName, entries: readonly WebhookEntry[], of: string) {
  const field = `${of}.webhooks`;
  refuseDuplicates(
    field,
    entries.map((entry) => entry.url),
  );
  for (const [i, entry] of entries.entries()) {
    refuseWebhook(entry, `${field}[${i}].`);
    if (entry.secret !== undefined && !isSigningSecret(entry.secret))
      throw new ApiError(400, `${field}[${i}].secret: must be whsec_ and Base64 of 24 to 64 bytes`);
  }
  const existing = await at.db.rows('SELECT * FROM webhooks WHERE project_id = $1', [project.id]);
  const byUrl = new Map(existing.map((row) => [row.url, row]));
  const urls = new Set([...byUrl.keys(), ...entries.map(({ url }) => url)]);
  if (urls.size > MOST.webhooks) throw new ApiError(400, `${field}: there may be at most ${MOST.webhooks}`);
  const rows = await at.upsert(
    { table: 'webhooks', key: ['project_id', 'url'], defaults: { enabled: true } },
    existing,
    entries.map(({ url, events, enabled }) => {
      const before = byUrl.get(url);
      return { project_id: project.id, url, events, enabled, ...(before && inUseAgain(before, { enabled }, [])) };
    }),
  );
  for (const [i, { id }] of rows.entries()) await applySecret(at, project, id as number, entries[i] as WebhookEntry);
}

/** A webhook that never had a secret gets one; a given one that is new replaces the one before. */
async function applySecret(at: Applying, { name }: ProjectName, webhookId: number, { url, secret }: WebhookEntry) {
  const { db, result } = at;
  const seal = at.seals.of('webhook secrets');
  const own = await queries.readWebhookSecrets(db, webhookId);
  const shown = { kind: 'webhook_secret', project: name, url };
  if (secret === undefined) {
    if (own.length > 0) return;
    const generated = newSigningSecret();
    await addSecret(db, webhookId, seal.seal(generated), Date.parse(at.now));
    result.secrets.push({ ...shown, value: generated });
  } else {
    const known = own.find((one) => isSecret(seal, one.secret, secret));
    if (known?.valid_until) result.skipped.push({ ...shown, reason: 'replaced' });
    else if (known) result.unchanged += 1;
    if (known) return;
    await addSecret(db, webhookId, seal.seal(secret), Date.parse(at.now));
  }
  result.created += 1;
}

/** Whether a sealed text is that secret; one that cannot be read is another one. */
function isSecret(seal: Seal, sealed: string, secret: string): boolean {
  try {
    return seal.open(sealed) === secret;
  } catch {
    return false;
  }
}
