/** The address that a link answers with: scheme, host and path come from configuration alone. */
import type { Campaign } from '../configuration/config-snapshot';
import { withMissingParameters, withParameter } from '../configuration/campaign-url';
import type { Target } from '../configuration/link-target';
import type { LinkInput } from './input';

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
  if (target.kind === 'web') return toHeader(withPassedOn(target.url, campaign, input));
  const isPlay = target.kind === 'play' && clickId !== undefined;
  return toHeader(isPlay ? withParameter(target.url, 'referrer', `svc_ia_id=${clickId}`) : target.url);
}

/**
 * Adds what the URL does not have: what the opened link passes on, then the UTM values that the campaign's link has by
 * itself, with the campaign as `utm_id`.
 */
function withPassedOn(url: string, { displayId, link }: Campaign, { passedOn }: LinkInput): string {
  const wanted = new Map(passedOn);
  for (const [name, value] of Object.entries(link.utm))
    if (!wanted.has(name)) wanted.set(name, encodeURIComponent(value));
  return withMissingParameters(url, wanted.set('utm_id', displayId));
}

/**
 * The URL as a header can carry it: bytes stay where they are legal in a URL, everything else is encoded as browsers
 * do.
 */
export function toHeader(url: string): string {
  return /^[\w.~:/?#[\]@!$&'()*+,;=%-]+$/.test(url) ? url : new URL(url).href;
}
