/** Single changes of the workspace: apps, store listings and pauses (docs/contract/workspace.md). */
import { change, type Actor } from '../configuration/change';
import type { Postgres } from '../db/postgres';
import { ApiError } from '../errors';
import * as queries from './queries';

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
