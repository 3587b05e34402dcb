/** Where a link leads: scheme, host and path come from configuration alone (docs/contract.md, Tracking links). */
import type { Campaign, ConfigSnapshot } from '../configuration/config-snapshot';
import { withMissingParameters, withParameter } from '../configuration/campaign-url';
import type { LinkInput } from './input';
import type { Platform } from './platform';

/** A store is opened as it is configured, a web page learns about the campaign. */
export interface Target {
  readonly url: string;
  readonly kind: 'web' | 'store' | 'play';
}

type Listings = Pick<ConfigSnapshot, 'storeListing'>;

/** Where a campaign leads on a platform: the first that is configured; undefined for nowhere. */
export function targetOf(
  platform: Platform,
  { targets }: Campaign,
  snapshot: Listings,
  projectWebsite: string | null,
): Target | undefined {
  const store = (of?: string) => {
    const listing = targets.storeListingIds
      .map((id) => snapshot.storeListing(id))
      .find((one) => one && (of === undefined || one.platform === of));
    return listing && ({ url: listing.url, kind: of === 'ANDROID' ? 'play' : 'store' } as const);
  };
  const web = (url: string | null) => (url === null ? undefined : ({ url, kind: 'web' } as const));
  const website = web(targets.website) ?? web(projectWebsite);
  if (platform === 'ios') return web(targets.iosWebRedirect) ?? store('IOS') ?? website;
  if (platform === 'android') return web(targets.androidWebRedirect) ?? store('ANDROID') ?? website;
  return website ?? store();
}

/**
 * The address of a target for one visit. Google Play hands the referrer to the app that is installed, which is how an
 * install finds its click; it takes the place of a configured one. Without `clickId` no click is recorded.
 */
export function addressOf(target: Target, campaign: Campaign, input: LinkInput, clickId: string | undefined): string {
  if (target.kind === 'web') return toHeader(withUtm(target.url, campaign.displayId, input.utm));
  const isPlay = target.kind === 'play' && clickId !== undefined;
  return toHeader(isPlay ? withParameter(target.url, 'referrer', `svc_ia_id=${clickId}`) : target.url);
}

/** Adds what the URL does not have: the UTM parameters of the link itself, with the campaign as `utm_id`. */
const withUtm = (url: string, displayId: string, utm: LinkInput['utm']) =>
  withMissingParameters(url, new Map([...utm, ['utm_id', displayId]]));

/**
 * The URL as a header can carry it: bytes stay where they are legal in a URL, everything else is encoded as browsers
 * do.
 */
export function toHeader(url: string): string {
  return /^[\w.~:/?#[\]@!$&'()*+,;=%-]+$/.test(url) ? url : new URL(url).href;
}
