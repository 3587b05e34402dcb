/** Lists, makes and changes the links of one project (docs/contract/tracking-links.md). */
import { shortUrl, trackingLink } from '../configuration/campaign-url';
import { change } from '../configuration/change';
import type { ConfigSnapshot, Project } from '../configuration/config-snapshot';
import type { Postgres, Queryable } from '../db/postgres';
import { ApiError } from '../errors';
import { presentPagination, type Page } from '../lib/page';
import { errors } from './errors';
import type { CreateInput } from './input';
import * as queries from './link-queries';
import { LINK_LIMITS, type LinkEdits, type LinkSettings } from './link-schema';
import { judgeDomain, judgeLink, unprovenDomain } from './link-state';
import { insertCampaign, type Manager } from './service';
import { findBreach, UTM_NAMES, type UtmRules } from './utm';

export interface LinkParts {
  readonly postgres: Postgres;
  readonly snapshot: ConfigSnapshot;
  readonly now: () => number;
}

/** A page of the links of a project, the newest first; of one tag where it is given. */
export async function listLinks(parts: LinkParts, project: Project, tag: string | null, page: Page) {
  const [{ total = 0 } = {}] = await queries.countLinks(parts.postgres, project.id, tag);
  const rows = await queries.listLinks(
    parts.postgres,
    project.id,
    project.primaryDomain?.id ?? null,
    tag,
    null,
    page.limit,
    page.offset,
  );
  const unproven = await findUnproven(parts.postgres, project, rows);
  return {
    links: rows.map((row) => presentLink(parts, project, row, unproven)),
    pagination: presentPagination(total, page),
  };
}

/** @throws ApiError 404 where the project has no such link. */
export async function readLink(parts: LinkParts, project: Project, displayId: string) {
  const row = await findRow(parts.postgres, project, displayId);
  return presentLink(parts, project, row, await findUnproven(parts.postgres, project, [row]));
}

async function findRow(db: Queryable, project: Project, displayId: string): Promise<queries.LinkRow> {
  const primary = project.primaryDomain?.id ?? null;
  const [row] = await queries.listLinks(db, project.id, primary, null, displayId, 1, 0);
  if (!row) throw errors.notFound();
  return row;
}

/** A domain that waits for its proof, where a link has none; undefined for none. */
async function findUnproven(db: Queryable, project: Project, rows: readonly queries.LinkRow[]) {
  if (rows.every(({ domain }) => domain !== null)) return undefined;
  return (await queries.listDomains(db, project.id)).find(({ is_pending }) => is_pending)?.name;
}

function presentLink(
  { snapshot, now }: LinkParts,
  project: Project,
  row: queries.LinkRow,
  unproven: string | undefined,
) {
  const { display_id: displayId, domain, deeplink, is_shortlink: isShortlink } = row;
  const judged = {
    active: row.active,
    expiresAt: row.expires_at?.getTime() ?? Infinity,
    campaign: snapshot.campaign(project.id, displayId),
    domain: domain === null ? null : { name: domain, state: row.domain_state, msg: row.domain_msg },
    unproven,
  };
  return {
    display_id: displayId,
    name: row.name,
    active: row.active,
    default_link: row.is_system,
    domain,
    short_url: shortUrl(domain, displayId) || null,
    link: trackingLink({ domain, displayId, deeplink, isShortlink }) || null,
    tags: row.tags,
    utm: row.utm,
    expires_at: row.expires_at?.toISOString() ?? null,
    expired_target: row.expired_target,
    preview: row.card,
    ...judgeLink(judged, snapshot, project.website, now()),
    created_at: row.created_at.toISOString(),
  };
}

/** Every domain of a project with what its links are like. */
export const listLinkDomains = async (db: Queryable, project: Project) =>
  (await queries.listDomains(db, project.id)).map(({ name, is_primary, is_pending, state, msg, checked_at }) => ({
    name,
    primary: is_primary,
    ...(is_pending ? unprovenDomain(name) : judgeDomain({ name, state, msg })),
    checked_at: checked_at?.toISOString() ?? null,
  }));

export const listTags = (db: Queryable, project: Project) => queries.listTags(db, project.id);

/** The rules of a project for UTM values, and the values that its links have. */
export async function readRules(db: Queryable, project: Project) {
  const used = await queries.listUsedValues(db, project.id);
  const list = (wanted: string) => used.filter(({ name }) => name === wanted).map(({ value }) => value);
  return {
    rules: await findRules(db, project),
    used: Object.fromEntries(UTM_NAMES.map((name) => [name, list(name)])),
  };
}

const findRules = async (db: Queryable, project: Project): Promise<UtmRules> =>
  (await queries.readRules(db, project.id))[0]?.rules ?? {};

export async function putRules(postgres: Postgres, { project, actor }: Manager, rules: UtmRules) {
  await change(postgres, actor, (db) => queries.putRules(db, project.id, JSON.stringify(rules)));
  return readRules(postgres, project);
}

/** Makes a campaign with its link. @throws ApiError for what breaks a rule. */
export async function createLink(
  parts: LinkParts,
  manager: Manager,
  input: CreateInput,
  settings: LinkSettings,
): Promise<string> {
  return change(parts.postgres, manager.actor, async (db, revision) => {
    const rules = await findRules(db, manager.project);
    return insertLink(db, revision, parts.snapshot, manager.project, rules, input, settings);
  });
}

/** The display ID of a link that is made within a change of the configuration. */
export async function insertLink(
  db: Queryable,
  revision: number,
  snapshot: ConfigSnapshot,
  project: Project,
  rules: UtmRules,
  input: CreateInput,
  settings: LinkSettings,
): Promise<string> {
  checkUtm(rules, settings.utm ?? null);
  const more = toColumns({ tags: [], utm: null, expires_at: null, expired_target: null, card: null }, settings);
  return (await insertCampaign(db, revision, snapshot, project, input, more)).row.display_id;
}

/** @throws ApiError 404 where the project has no such link, 400 for UTM values that break its rules. */
export async function changeLink(
  parts: LinkParts,
  { project, actor }: Manager,
  displayId: string,
  settings: LinkSettings,
): Promise<void> {
  await change(parts.postgres, actor, async (db, revision) => {
    const row = await findRow(db, project, displayId);
    if (settings.utm !== undefined) checkUtm(await findRules(db, project), settings.utm);
    await queries.settleLink(db, row.id, JSON.stringify(toColumns(row, settings)), revision);
  });
}

function checkUtm(rules: UtmRules, utm: Readonly<Record<string, string>> | null): void {
  const breach = findBreach(rules, utm ?? {});
  if (breach !== undefined) throw new ApiError(400, breach);
}

/** Columns as they are to be: what is not set stays. */
function toColumns(
  present: Pick<queries.LinkRow, 'tags' | 'utm' | 'expires_at' | 'expired_target' | 'card'>,
  { tags, utm, expires_at, expired_target, preview }: LinkSettings,
) {
  const pick = <T>(wanted: T | undefined, now: T) => (wanted === undefined ? now : wanted);
  const wantedUtm = pick<object | null>(utm, present.utm);
  return {
    tags: [...(tags ?? present.tags)].sort(),
    utm: wantedUtm === null || Object.keys(wantedUtm).length === 0 ? null : wantedUtm,
    expires_at: pick<string | Date | null>(expires_at, present.expires_at),
    expired_target: pick(expired_target, present.expired_target),
    card: preview
      ? { title: preview.title, description: preview.description || null, image: preview.image || null }
      : preview === null
        ? null
        : present.card,
  };
}

/** Changes many links at once, or none. @throws ApiError 404 that names those that the project does not have. */
export async function editLinks({ postgres }: LinkParts, { project, actor }: Manager, edits: LinkEdits) {
  const { display_ids: ids, add_tags: add = [], remove_tags: remove = [], active, expires_at: at } = edits;
  return change(postgres, actor, async (db, revision) => {
    const isTimed = at !== undefined;
    const edited = await queries.editLinks(
      db,
      project.id,
      ids,
      revision,
      add,
      remove,
      active ?? null,
      isTimed,
      at ?? null,
    );
    const missing = ids.filter((id) => !edited.some(({ display_id }) => display_id === id));
    if (missing.length > 0)
      throw new ApiError(404, `display_ids: the project has no ${missing.slice(0, 5).join(', ')}`);
    const full = edited.find(({ tags }) => tags > LINK_LIMITS.tags);
    if (full) throw new ApiError(400, `add_tags: ${full.display_id} would have more than ${LINK_LIMITS.tags} tags`);
    return { changed: edited.length };
  });
}
