/** Applies the tracking domains of a project, and keeps one of them the primary one. */
import { ApiError } from '../errors';
import { newDisplayId } from '../configuration/display-id';
import type { Applying } from './workspace';
import { refuseDuplicates } from './workspace-fields';
import type { ProjectDocument } from './workspace-schema';

/** @throws ApiError 400 naming the field, for a domain that another project has, or for two primary ones. */
export async function applyDomains(
  at: Applying,
  projectId: number,
  document: ProjectDocument,
  field: string,
): Promise<void> {
  const wanted = (document.domains ?? []).map((domain) => ({ ...domain, name: domain.name.toLowerCase() }));
  refuseDuplicates(
    `${field}.domains`,
    wanted.map((domain) => domain.name),
  );
  const taken = await at.db.rows('SELECT name FROM domains WHERE project_id <> $1 AND name = ANY ($2)', [
    projectId,
    wanted.map((domain) => domain.name),
  ]);
  if (taken[0])
    throw new ApiError(400, `${field}.domains: ${JSON.stringify(taken[0].name)} belongs to another project`);
  const primaries = wanted.filter((domain) => domain.primary);
  if (primaries.length > 1) throw new ApiError(400, `${field}.domains: only one domain can be primary`);
  const existing = await at.db.rows('SELECT * FROM domains WHERE project_id = $1', [projectId]);
  const [primary] = primaries;
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
  const domains = await at.upsert(
    { table: 'domains', key: ['name'], defaults: { is_primary: false } },
    existing,
    wanted.map((domain) => ({
      project_id: projectId,
      name: domain.name,
      is_primary: domain.name === first ? true : domain.primary,
    })),
  );
  if (![...existing, ...domains].some((domain) => domain.is_primary)) return;
  // The system campaign comes with the primary domain (docs/contract.md, Workspace).
  await at.db.rows(
    `INSERT INTO campaigns (account_id, project_id, display_id, name, is_system, revision)
     SELECT account_id, id, $2, 'MAIN_DOMAIN', true, $3 FROM projects WHERE id = $1
      ON CONFLICT (project_id) WHERE is_system DO NOTHING`,
    [projectId, newDisplayId(), at.revision],
  );
}
