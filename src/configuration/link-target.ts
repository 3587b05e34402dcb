/** Where the links of a campaign lead on a platform, by configuration alone (docs/contract/tracking-links.md). */
import type { Campaign, ConfigSnapshot, StoreListing } from './config-snapshot';

export const PLATFORMS = ['ios', 'android', 'desktop'] as const;
export type Platform = (typeof PLATFORMS)[number];

/** A store is opened as it is configured, a web page learns about the campaign. */
export interface Target {
  readonly url: string;
  readonly kind: 'web' | 'store' | 'play';
  /** What of the configuration says so. */
  readonly from: Origin;
}
export const ORIGINS = [
  'campaign_redirect',
  'campaign_store',
  'campaign_website',
  'project_store',
  'project_website',
] as const;
export type Origin = (typeof ORIGINS)[number];

type Listings = Pick<ConfigSnapshot, 'storeListing' | 'listStoreListings'>;

/**
 * Where a campaign leads on a platform: the first that is configured; undefined for nowhere. What the campaign has
 * itself goes before what its project has; the project's listings are for campaigns without listings.
 */
export function chooseTarget(
  platform: Platform,
  { projectId, targets }: Campaign,
  snapshot: Listings,
  projectWebsite: string | null,
): Target | undefined {
  const own = targets.storeListingIds.map((id) => snapshot.storeListing(id));
  const shared = own.length > 0 ? [] : snapshot.listStoreListings(projectId);
  const website = web(targets.website, 'campaign_website');
  const websiteOfProject = web(projectWebsite, 'project_website');
  const ownStore = (of?: string) => store(own, 'campaign_store', of);
  const sharedStore = (of?: string) => store(shared, 'project_store', of);
  if (platform === 'desktop') return website ?? websiteOfProject ?? ownStore() ?? sharedStore();
  const [redirect, of] = platform === 'ios' ? [targets.iosWebRedirect, 'IOS'] : [targets.androidWebRedirect, 'ANDROID'];
  return web(redirect, 'campaign_redirect') ?? ownStore(of) ?? website ?? sharedStore(of) ?? websiteOfProject;
}

const web = (url: string | null, from: Origin): Target | undefined =>
  url === null ? undefined : { url, kind: 'web', from };

/** The first of these listings that leads anywhere, of a platform or of any. */
function store(listings: readonly (StoreListing | undefined)[], from: Origin, of?: string): Target | undefined {
  const listing = listings.find((one) => one && (of === undefined || one.platform === of));
  return listing && { url: listing.url, kind: of === 'ANDROID' ? 'play' : 'store', from };
}
