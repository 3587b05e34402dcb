/** Applies templates of postbacks and their secrets: those of a partner, and what a project overrides. */
import { putSecrets, type Owner } from '../configuration/postbacks/stored-secrets';
import { putTemplates } from '../configuration/postbacks/stored-templates';
import type { Row } from '../db/postgres';
import type { Applying } from './applying';
import type { OverrideEntry, PostbackEntry, SecretEntry } from './document';
import { pick, refuseDuplicates } from './fields';

/** @throws ApiError 400 naming the field. */
export async function applyPostbackSecrets(at: Applying, owner: Owner, entries: readonly SecretEntry[], of: string) {
  const field = `${of}.postback_secrets`;
  refuseDuplicates(
    field,
    entries.map(({ name }) => name),
  );
  await putSecrets(at, owner, entries, field);
}

/** @throws ApiError 400 naming the field. */
export async function applyPostbacks(at: Applying, partnerId: number, entries: readonly PostbackEntry[], of: string) {
  const field = `${of}.postbacks`;
  refuseDuplicates(
    field,
    entries.map(({ event }) => event),
  );
  const wanted = entries.map((entry) => ({ ...pick(entry, 'event', 'enabled'), ...wholeRequest(entry) }));
  await applyTemplates(at, { partnerId }, field, wanted);
}

/** @throws ApiError 400 naming the field. */
export async function applyOverrides(at: Applying, projectId: number, entries: readonly OverrideEntry[], of: string) {
  const field = `${of}.postback_overrides`;
  refuseDuplicates(
    field,
    entries.map(({ event, partner }) => (partner === undefined ? event : `${event} of ${partner}`)),
  );
  const wanted = entries.map((entry, i) => ({
    partner_id: entry.partner === undefined ? null : at.partner(entry.partner, `${field}[${i}].partner`),
    ...pick(entry, 'event', 'withhold', 'enabled'),
    ...wholeRequest(entry),
  }));
  await applyTemplates(at, { projectId }, field, wanted);
}

const applyTemplates = ({ db, result, seals }: Applying, owner: Owner, field: string, wanted: readonly Row[]) =>
  putTemplates(db, result, {
    owner,
    seal: seals.of('postback headers'),
    field,
    wanted,
    prefix: (i) => `${field}[${i}].`,
  });

/** A request is given as a whole: headers and a body that are left out are none. Without a URL there is none. */
const wholeRequest = (entry: Pick<OverrideEntry, 'method' | 'url' | 'headers' | 'body'>) =>
  entry.url === undefined || entry.url === null
    ? pick(entry, 'method', 'url', 'headers', 'body')
    : { method: entry.method, url: entry.url, headers: entry.headers ?? {}, body: entry.body ?? null };
