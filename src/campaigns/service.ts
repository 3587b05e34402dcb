/** Lists, creates, edits and deletes the campaigns of one project (docs/contract/campaigns.md). */
import type { Postgres, Queryable, Row } from '../db/postgres';
import { presentPagination } from '../lib/page';
import type { AttributedUsers } from '../configuration/attributed-users';
import { change, type Actor } from '../configuration/change';
import { putChannel } from '../configuration/channels';
import type { ConfigSnapshot, Project } from '../configuration/config-snapshot';
import { isDisplayId, newDisplayId } from '../configuration/display-id';
import { displayIdOfLink } from '../configuration/campaign-url';
import { canonicalDomain } from '../lib/urls';
import { errors } from './errors';
import type { CreateInput, EditInput, ListInput } from './input';
import * as queries from './queries';
import { createdCampaign, editedCampaign, listedCampaign } from './presenter';

/** Known in every project; of others a project knows those that it has a campaign of. */
const NETWORKS = new Set(['GOOGLE', 'META', 'TIKTOK', 'APPLE_SEARCH_ADS', 'SNAPCHAT', 'LINKEDIN']);
const NETWORK_CODE = /^[A-Z][A-Z0-9_]{0,63}$/;

/** Who changes campaigns, and of which project. */
export interface Manager {
  readonly project: Project;
  readonly actor: Actor;
}

/** The domains of a project. */
export type Domains = Pick<ConfigSnapshot, 'domain'>;

const ownDomain = (domains: Domains, project: Project, name: string) => {
  const domain = domains.domain(canonicalDomain(name));
  return domain?.projectId === project.id ? domain : undefined;
};

/**
 * One page of the project's campaigns. What the filters name and the project does not have is an error, not an empty
 * list.
 */
export async function listCampaigns(
  db: Postgres,
  domains: Domains,
  attributedUsers: AttributedUsers,
  project: Project,
  input: ListInput,
) {
  const { page } = input;
  const domain = input.domain === undefined ? undefined : ownDomain(domains, project, input.domain);
  if (input.domain !== undefined && !domain) throw errors.invalidDomain(input.domain);
  const selection: queries.Selection = {
    projectId: project.id,
    active: input.active,
    domainId: domain?.id ?? null,
    primaryDomainId: project.primaryDomain?.id ?? null,
    displayId: input.link === undefined ? null : await findDisplayId(db, domains, project, input.link),
    ...(await chooseChannel(db, project, input.channel)),
  };
  const total = await queries.countCampaigns(db, selection);
  const rows = await queries.listCampaigns(db, selection, page.limit, page.offset);
  const users = await attributedUsers(
    project.id,
    rows.map((row) => row.id),
  );
  return {
    campaigns: rows.map((row) => listedCampaign(row, project.primaryDomain?.name ?? null, users.get(row.id) ?? 0)),
    pagination: presentPagination(total, page),
  };
}

async function findDisplayId(db: Queryable, domains: Domains, project: Project, link: string): Promise<string> {
  const displayId = displayIdOfLink(link, (host) => ownDomain(domains, project, host) !== undefined);
  if (displayId === undefined || !isDisplayId(displayId) || !(await queries.findCampaign(db, project.id, displayId)))
    throw errors.invalidLink();
  return displayId;
}

async function chooseChannel(
  db: Queryable,
  project: Project,
  channel: string | undefined,
): Promise<Pick<queries.Selection, 'network' | 'partnerIds'>> {
  if (channel === undefined) return { network: null, partnerIds: null };
  const code = channel.toUpperCase();
  if (NETWORKS.has(code) || (NETWORK_CODE.test(code) && (await queries.hasNetwork(db, project.id, code))))
    return { network: code, partnerIds: null };
  // Compared here and not in SQL, whose upper case depends on the database's locale.
  const affiliates = (await queries.readAffiliates(db, project.id)).filter(
    (affiliate) => affiliate.name.toUpperCase().replaceAll(' ', '_') === code,
  );
  if (affiliates.length === 0) throw errors.invalidChannel(channel);
  return { network: null, partnerIds: affiliates.map((affiliate) => affiliate.id) };
}

export async function createCampaign(
  postgres: Postgres,
  domains: Domains,
  { project, actor }: Manager,
  input: CreateInput,
) {
  return change(postgres, actor, async (db, revision) => {
    const { row, domain, channel, listings } = await insertCampaign(db, revision, domains, project, input);
    return createdCampaign(row, domain, channel, listings);
  });
}

/**
 * Makes a campaign within a change of the configuration, with `more` columns besides those of the input.
 *
 * @throws ApiError for what the project does not have, and a display ID that is taken; the change can go on.
 */
export async function insertCampaign(
  db: Queryable,
  revision: number,
  domains: Domains,
  project: Project,
  input: CreateInput,
  more: Row = {},
) {
  const domain = input.domain === undefined ? undefined : ownDomain(domains, project, input.domain);
  if (input.domain !== undefined && !domain) throw errors.domainNotFound(input.domain);
  const listings = await storeListings(db, project, input.storeListingIds);
  const channel = input.channelName === undefined ? null : await activeChannel(db, project, input.channelName);
  const wanted = {
    account_id: project.accountId,
    project_id: project.id,
    name: input.name,
    deeplink: input.deeplink,
    domain_id: domain?.id ?? null,
    is_shortlink: input.isShortlink,
    website: input.website,
    android_web_redirect: input.androidWebRedirect,
    ios_web_redirect: input.iosWebRedirect,
    custom_channel_id: channel?.id ?? null,
    store_listing_ids: listings.map((listing) => listing.id),
    revision,
    ...more,
  };
  let row = await queries.createCampaignRow(db, { ...wanted, display_id: input.displayId ?? newDisplayId() });
  if (!row && input.displayId !== undefined) throw errors.duplicateDisplayId(input.displayId);
  // A random ID that is taken is as good as impossible, and costs another one.
  while (!row) row = await queries.createCampaignRow(db, { ...wanted, display_id: newDisplayId() });
  const name = (input.domain && canonicalDomain(input.domain)) ?? project.primaryDomain?.name ?? null;
  return { row, domain: name, channel, listings };
}

async function storeListings(
  db: Queryable,
  project: Project,
  ids: readonly string[],
): Promise<queries.StoreListingRow[]> {
  const found = await queries.findStoreListings(db, project.id, ids);
  const unknown = ids.filter((id) => !found.some((listing) => listing.store_listing_id === id));
  if (unknown.length > 0) throw errors.storeListingsNotFound(unknown);
  if (new Set(found.map((listing) => listing.platform)).size < found.length) throw errors.storeListingPlatforms();
  return found;
}

/**
 * The channel of that name, made where there is none; one that was deactivated keeps its name (custom channel rule 5).
 */
async function activeChannel(db: Queryable, project: Project, name: string) {
  const { active, ...channel } = await putChannel(db, project.id, name);
  if (!active) throw errors.channelDeleted();
  return channel;
}

export async function editCampaign(
  postgres: Postgres,
  attributedUsers: AttributedUsers,
  { project, actor }: Manager,
  displayId: string,
  input: EditInput,
) {
  const edited = await change(postgres, actor, async (db, revision) => {
    const present = await mustFind(db, project, displayId);
    if (input.name !== undefined && input.name !== present.name) {
      if (present.is_system) throw errors.systemRename();
      if (input.name.trim() === 'MAIN_DOMAIN') throw errors.reservedRename();
    }
    const channel =
      input.channelName === undefined
        ? undefined
        : input.channelName === null
          ? null
          : await activeChannel(db, project, input.channelName);
    const pick = <T>(wanted: T | undefined, present: T) => (wanted === undefined ? present : wanted);
    await queries.updateCampaignRow(db, present.id, {
      name: input.name ?? present.name,
      active: input.active ?? present.active,
      website: pick(input.website, present.website),
      android_web_redirect: pick(input.androidWebRedirect, present.android_web_redirect),
      ios_web_redirect: pick(input.iosWebRedirect, present.ios_web_redirect),
      custom_channel_id: channel === undefined ? present.custom_channel_id : (channel?.id ?? null),
      revision,
    });
    return mustFind(db, project, displayId);
  });
  const users = await attributedUsers(project.id, [edited.id]);
  return editedCampaign(edited, edited.custom_channel, users.get(edited.id) ?? 0);
}

export async function deleteCampaign(
  postgres: Postgres,
  { project, actor }: Manager,
  displayId: string,
): Promise<void> {
  return change(postgres, actor, async (db, revision) => {
    const present = await mustFind(db, project, displayId);
    if (present.is_system || (present.network !== null && present.network_campaign_id !== null))
      throw errors.notDeletable();
    await queries.deleteCampaignRow(db, present.id, revision);
  });
}

async function mustFind(db: Queryable, project: Project, displayId: string): Promise<queries.OneRow> {
  const row = isDisplayId(displayId) ? await queries.findCampaign(db, project.id, displayId) : undefined;
  if (!row) throw errors.notFound();
  return row;
}
