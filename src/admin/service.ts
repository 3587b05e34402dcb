/** Single changes of the configuration: tokens, keys, switches, pauses and channels (docs/contract/workspace.md). */
import type { Postgres, Row } from '../db/postgres';
import { ApiError } from '../errors';
import { change, type Actor } from '../configuration/change';
import { newSecret, sha256 } from '../lib/secrets';
import { DAY_MS } from '../lib/time';
import { mustExist } from './must-exist';
import * as queries from './queries';
import { putSwitches } from './workspace';
import type { Switches } from './workspace-schema';

/** How long a token still works after a newer one has replaced it (docs/contract/main-api.md). */
const FORMER_TOKEN_MS = DAY_MS;

/** Creates a token. Those before it work for another 24 hours, each counted from its own replacement. */
export function rotateToken(
  postgres: Postgres,
  actor: Actor,
  partnerId: number,
  now: number,
): Promise<{ token: string; former_valid_until: string | null }> {
  return change(postgres, actor, async (db) => {
    await mustExist(db, 'partners', partnerId);
    const [former] = await queries.retireTokens(db, partnerId, new Date(now + FORMER_TOKEN_MS));
    const token = newSecret('partner_token');
    await db.rows('INSERT INTO partner_tokens (partner_id, sha256) VALUES ($1, $2)', [partnerId, sha256(token)]);
    return { token, former_valid_until: former?.valid_until.toISOString() ?? null };
  });
}

/** Revokes every token of a partner, former ones too, at once. */
export function revokePartnerTokens(postgres: Postgres, actor: Actor, partnerId: number): Promise<void> {
  return change(postgres, actor, async (db) => {
    await mustExist(db, 'partners', partnerId);
    await queries.revokeTokens(db, partnerId);
  });
}

/** Creates a key of a project beside those that it has. */
export function createKey(postgres: Postgres, actor: Actor, projectId: number, kind: string): Promise<Row> {
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

/** Sets switches of a partner in a project and answers with all of them. */
export function setSwitches(
  postgres: Postgres,
  actor: Actor,
  projectId: number,
  partnerId: number,
  wanted: Switches,
): Promise<Row> {
  return change(postgres, actor, async (db) => {
    await mustExist(db, 'projects', projectId);
    await mustExist(db, 'partners', partnerId);
    return putSwitches(db, { created: 0, updated: 0, unchanged: 0 }, projectId, partnerId, wanted, 'body');
  });
}

/**
 * Deletes a domain of a project: its links end at once, and campaigns that had it use the primary one. Whoever adds it
 * again proves it again.
 *
 * @throws ApiError 409 for the primary domain of a project that has others.
 */
export function deleteDomain(postgres: Postgres, actor: Actor, projectId: number, domainId: number): Promise<void> {
  return change(postgres, actor, async (db, revision) => {
    const [pending] = await queries.deletePendingDomain(db, projectId, domainId);
    if (pending) return;
    const [domain] = await queries.findDomain(db, projectId, domainId);
    if (!domain) throw new ApiError(404, 'Domain not found.');
    if (domain.is_primary && domain.has_others) throw new ApiError(409, 'Make another domain the primary one first.');
    await queries.leaveDomain(db, projectId, domainId, revision);
    await queries.deleteDomain(db, domainId);
  });
}

/** How many of those that still name something an answer lists. */
const LISTED = 5;

/**
 * Refuses to delete what others still name; the transaction then restores it.
 *
 * @throws ApiError 409 with the first of the names, for example `Still in ctv_apps of partners: Mobi Ads.`
 */
function refuseWhileNamed(where: string, named: readonly { name: string }[]): void {
  if (named.length === 0) return;
  const names = named.slice(0, LISTED).map(({ name }) => name);
  const more = named.length > LISTED ? ' and more' : '';
  throw new ApiError(409, `Still in ${where}: ${names.join(', ')}${more}.`);
}

/**
 * Deletes an app of a project: what it sends from now on is refused, and what it sent stays.
 *
 * @throws ApiError 409 while a partner has CTV on for it.
 */
export function deleteApp(postgres: Postgres, actor: Actor, projectId: number, id: number): Promise<void> {
  return change(postgres, actor, async (db) => {
    const [app] = await queries.deleteApp(db, projectId, id);
    if (!app) throw new ApiError(404, 'App not found.');
    const partners = await queries.readPartnersWithCtvApp(db, projectId, app.app_id, LISTED + 1);
    refuseWhileNamed('ctv_apps of partners', partners);
  });
}

/**
 * Deletes a store listing of a project: links without listings of their own lead to the project's next one.
 *
 * @throws ApiError 409 while a campaign has it.
 */
export function deleteStoreListing(postgres: Postgres, actor: Actor, projectId: number, id: number): Promise<void> {
  return change(postgres, actor, async (db) => {
    const [listing] = await queries.deleteStoreListing(db, projectId, id);
    if (!listing) throw new ApiError(404, 'Store listing not found.');
    const campaigns = await queries.readCampaignsWithStoreListing(db, projectId, id, LISTED + 1);
    refuseWhileNamed('store_listings of campaigns', campaigns);
  });
}

/** Pauses or unpauses a web campaign from now on; doing it twice changes nothing. Its links keep working. */
export function setPaused(
  postgres: Postgres,
  actor: Actor,
  projectId: number,
  displayId: string,
  paused: boolean,
): Promise<{ display_id: string; paused: boolean }> {
  return change(postgres, actor, async (db) => {
    const [campaign] = await queries.findCampaign(db, projectId, displayId);
    if (!campaign) throw new ApiError(404, 'Campaign not found!');
    await (paused ? queries.pause : queries.unpause)(db, campaign.id);
    return { display_id: campaign.display_id, paused };
  });
}

/** Deactivates a custom channel. Campaigns keep it; nothing new gets it, and its name stays taken. */
export function deactivateChannel(postgres: Postgres, actor: Actor, projectId: number, slug: string): Promise<void> {
  return change(postgres, actor, async (db) => {
    const [row] = await queries.deactivateChannel(db, projectId, slug);
    if (!row) throw new ApiError(404, 'Channel not found.');
  });
}
