/** Where a link leads: scheme, host and path come from configuration alone (docs/contract/tracking-links.md). */
import type { Campaign, ConfigSnapshot, StoreListing } from '../configuration/config-snapshot';
import { withMissingParameters, withParameter } from '../configuration/campaign-url';
import type { LinkInput } from './input';
import type { Platform } from './platform';

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

/**
 * The address of a target for one visit. Google Play hands the referrer to the app that is installed, which is how an
 * install finds its click; it takes the place of a configured one. Without `clickId` no click is recorded.
 */
export function buildAddress(
  target: Target,
  campaign: Campaign,
  input: LinkInput,
  clickId: string | undefined,
): string {
  if (target.kind === 'web') return toHeader(withPassedOn(target.url, campaign.displayId, input));
  const isPlay = target.kind === 'play' && clickId !== undefined;
  return toHeader(isPlay ? withParameter(target.url, 'referrer', `svc_ia_id=${clickId}`) : target.url);
}

/** Adds what the URL does not have: what the link passes on, with the campaign as `utm_id`. */
const withPassedOn = (url: string, displayId: string, { passedOn }: LinkInput) =>
  withMissingParameters(url, new Map([...passedOn, ['utm_id', displayId]]));

/**
 * The URL as a header can carry it: bytes stay where they are legal in a URL, everything else is encoded as browsers
 * do.
 */
export function toHeader(url: string): string {
  return /^[\w.~:/?#[\]@!$&'()*+,;=%-]+$/.test(url) ? url : new URL(url).href;
}
