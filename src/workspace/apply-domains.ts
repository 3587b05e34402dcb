/**
 * Applies the tracking domains of a project, and keeps one of them the primary one. What an operator names is the
 * project's at once; what others add is pending until they have proven it.
 */
import type { Row } from '../db/postgres';
import { ApiError } from '../errors';
import { addSystemCampaign } from '../configuration/system-campaign';
import { canonicalDomain } from '../lib/urls';
import type { Applying } from './applying';
import type { ProjectDocument } from './document';

/** DNS is asked for each of them every hour. */
const MOST_PENDING = 20;

/**
 * @throws ApiError 400 naming the field, for a domain that another project has, and for too many that are pending.
 */
export async function applyDomains(
  at: Applying,
  projectId: number,
  document: ProjectDocument,
  field: string,
): Promise<void> {
  const named = (document.domains ?? []).map((domain) => ({ ...domain, name: canonicalDomain(domain.name) }));
  const taken = await at.db.rows('SELECT name FROM domains WHERE project_id <> $1 AND name = ANY ($2)', [
    projectId,
    named.map((domain) => domain.name),
  ]);
  if (taken[0])
    throw new ApiError(400, `${field}.domains: ${JSON.stringify(taken[0].name)} belongs to another project`);
  const existing = await at.db.rows('SELECT * FROM domains WHERE project_id = $1', [projectId]);
  const wanted = await withoutPending(at, projectId, named, existing, field);
  const primary = wanted.find((domain) => domain.primary);
  // Where the document does not say, the first of the first domains is the primary one.
  const first =
    existing.length === 0 && !primary ? wanted.find((domain) => domain.primary === undefined)?.name : undefined;
  if (primary) {
    // The former primary domain steps down first: there is never more than one.
    for (const former of existing.filter((row) => row.is_primary && row.name !== primary.name)) {
      await at.db.rows('UPDATE domains SET is_primary = false WHERE id = $1', [former.id]);
      former.is_primary = false;
    }
  }
  await at.upsert(
    { table: 'domains', key: ['name'], defaults: { is_primary: false } },
    existing,
    wanted.map((domain) => ({
      project_id: projectId,
      name: domain.name,
      is_primary: domain.name === first ? true : domain.primary,
    })),
  );
  await addSystemCampaign(at.db, projectId, at.revision);
}

interface Wanted {
  readonly name: string;
  readonly primary?: boolean;
}

/** The named domains without those that wait for a proof, which are noted as pending; an operator needs no proof. */
async function withoutPending(
  at: Applying,
  projectId: number,
  named: readonly Wanted[],
  existing: readonly Row[],
  field: string,
): Promise<readonly Wanted[]> {
  const has = new Set(existing.map((domain) => domain.name));
  const added = named.filter(({ name }) => !has.has(name));
  if (added.length === 0) return named;
  if (at.isOperator) {
    const names = added.map(({ name }) => name);
    await at.db.rows('DELETE FROM pending_domains WHERE project_id = $1 AND name = ANY ($2)', [projectId, names]);
    return named;
  }
  const pending = await at.db.rows('SELECT * FROM pending_domains WHERE project_id = $1', [projectId]);
  await at.upsert(
    { table: 'pending_domains', key: ['project_id', 'name'], defaults: {} },
    pending,
    added.map(({ name, primary }) => ({ project_id: projectId, name, is_primary: primary })),
  );
  const count = new Set([...pending, ...added].map(({ name }) => name)).size;
  if (count > MOST_PENDING)
    throw new ApiError(400, `${field}.domains: at most ${MOST_PENDING} domains can wait for their proof`);
  return named.filter(({ name }) => has.has(name));
}
