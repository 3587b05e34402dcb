/** Whether a link works, and if not what is wrong, in words (docs/contract/tracking-links.md). */
import type { Campaign, ConfigSnapshot } from '../configuration/config-snapshot';
import { chooseTarget, PLATFORMS } from '../configuration/link-target';

export const LINK_STATES = [
  'works',
  'unchecked',
  'archived',
  'expired',
  'nowhere',
  'no_domain',
  'domain_unproven',
  'domain_elsewhere',
  'no_certificate',
] as const;
export type LinkState = (typeof LINK_STATES)[number];

export interface Judgement {
  readonly state: LinkState;
  readonly reason: string;
}

/** What is known of a domain, as domain_checks has it; its state is null before the first look. */
export interface KnownDomain {
  readonly name: string;
  readonly state: string | null;
  readonly msg: string | null;
}

const OF_CHECKS: Readonly<Record<string, LinkState>> = {
  works: 'works',
  elsewhere: 'domain_elsewhere',
  no_certificate: 'no_certificate',
};

/** What the links of a domain are like, as far as the domain goes. */
export function judgeDomain({ name, state, msg }: KnownDomain): Judgement {
  if (state === null)
    return { state: 'unchecked', reason: `${name} has not been looked at yet; it is within minutes.` };
  const known = OF_CHECKS[state];
  if (known !== undefined) return { state: known, reason: msg ?? '' };
  return { state: 'unchecked', reason: `Whether ${name} leads here cannot be seen. ${msg ?? ''}`.trim() };
}

export const unprovenDomain = (name: string): Judgement => ({
  state: 'domain_unproven',
  reason: `Nothing is served on ${name} until it is proven: set its TXT record.`,
});
export const NO_DOMAIN: Judgement = {
  state: 'no_domain',
  reason: 'The project has no tracking domain, so its links have no address. Add one first.',
};

/** A link as it is configured. */
export interface JudgedLink {
  readonly active: boolean;
  readonly expiresAt: number;
  /** As links are opened by it. */
  readonly campaign: Campaign | undefined;
  /** Null for none that is proven. */
  readonly domain: KnownDomain | null;
  /** The name of a domain that is not proven yet; undefined for none. */
  readonly unproven: string | undefined;
}

/** The first thing that is wrong, what its maker decided before what is wrong with its domain. */
export function judgeLink(link: JudgedLink, snapshot: ConfigSnapshot, website: string | null, now: number): Judgement {
  const { active, expiresAt, campaign, domain, unproven } = link;
  if (!active)
    return { state: 'archived', reason: 'Its campaign is not active: it counts no clicks and leads to the website.' };
  if (now >= expiresAt) return { state: 'expired', reason: 'Its time is over: it counts no clicks.' };
  if (domain === null) return unproven === undefined ? NO_DOMAIN : unprovenDomain(unproven);
  const leads = campaign && PLATFORMS.some((one) => chooseTarget(one, campaign, snapshot, website));
  if (campaign && !leads)
    return { state: 'nowhere', reason: 'It leads nowhere: it has no website or store, and nor has its project.' };
  return judgeDomain(domain);
}
