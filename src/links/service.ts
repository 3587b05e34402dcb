/** Opens a link: finds its campaign, records the click, says where to go (docs/contract/tracking-links.md). */
import { randomUUID } from 'node:crypto';
import { isbot } from 'isbot';
import { UnavailableError } from '../errors';
import { recordId } from '../ingest/record-id';
import { parseIp } from '../net/ip';
import { shortUrl } from '../configuration/campaign-url';
import type { Campaign, ConfigSnapshot } from '../configuration/config-snapshot';
import { chooseTarget } from '../configuration/link-target';
import { writeCard } from './card';
import { cut, readLink, readReferrer, type LinkInput } from './input';
import { detectPlatform } from './platform';
import type { ClickRecorder } from './recorder';
import { isScraper } from './scrapers';
import { buildAddress, toHeader } from './target';

export interface LinksOptions {
  readonly snapshot: ConfigSnapshot;
  readonly now: () => number;
  readonly recorder: Pick<ClickRecorder, 'record'>;
}

/** Somebody who opens a link. */
export interface Visit {
  /** The tracking domain, in its canonical form. */
  readonly domain: string;
  /** Path and query. */
  readonly target: string;
  /** Nobody sees the answer to a HEAD request: it is not counted. */
  readonly isHead: boolean;
  /** Whether a browser asks in case that somebody opens the link: it is not counted. */
  readonly isPrefetch: boolean;
  readonly ip: string;
  readonly userAgent: string;
  readonly platformHint: string | undefined;
  /** The header Referer; empty where there is none. */
  readonly referrer: string;
}

/**
 * What became of a visit, a closed list: `click` is durable, `deferred` will be stored later, the others are no clicks.
 */
export type Outcome = 'click' | 'deferred' | 'head' | 'prefetch' | 'bot' | 'expired' | 'no_campaign' | 'not_found';

export interface Opened {
  readonly outcome: Outcome;
  /** Where to go; undefined for nowhere. */
  readonly location: string | undefined;
  /** What a program is shown instead that asks what the link is: a page. */
  readonly card?: string;
}

/** Browsers inside apps describe themselves at length; beyond this nothing is looked at. */
const MAX_USER_AGENT = 1_024;
const NOWHERE: Opened = { outcome: 'not_found', location: undefined };

/**
 * Resolves once the click is durable, or after a second at most.
 *
 * @throws UnavailableError when the configuration in memory is too old to go by.
 */
export async function openLink(options: LinksOptions, visit: Visit): Promise<Opened> {
  const { snapshot } = options;
  if (snapshot.stale) throw new UnavailableError();
  const domain = snapshot.domain(visit.domain);
  if (!domain) return NOWHERE;
  const website = snapshot.project(domain.projectId)?.website ?? null;
  const input = readLink(visit.domain, visit.target);
  const campaign = input.displayId === undefined ? undefined : snapshot.campaign(domain.projectId, input.displayId);
  const userAgent = cut(visit.userAgent, MAX_USER_AGENT);
  if (campaign?.live && options.now() >= campaign.link.expiresAt) return leadOn(campaign, website);
  if (!campaign?.live) return website === null ? NOWHERE : { outcome: 'no_campaign', location: toHeader(website) };
  const target = chooseTarget(detectPlatform(userAgent, visit.platformHint), campaign, snapshot, website);
  if (!target) return NOWHERE;
  const scrapes = isScraper(userAgent);
  const isBot = scrapes || isbot(userAgent);
  const nobody = visit.isHead ? 'head' : visit.isPrefetch ? 'prefetch' : isBot ? 'bot' : undefined;
  if (nobody) {
    const location = buildAddress(target, campaign, input, undefined);
    const { card } = campaign.link;
    if (!scrapes || card === null) return { outcome: nobody, location };
    return { outcome: nobody, location, card: writeCard(card, shortUrl(visit.domain, campaign.displayId), location) };
  }
  const id = await record(options, campaign, input, { ...visit, userAgent });
  return { outcome: id.durable ? 'click' : 'deferred', location: buildAddress(target, campaign, input, id.clickId) };
}

/** Where a link leads whose time is over. */
const leadOn = ({ link: { expiredTarget } }: Campaign, website: string | null): Opened => {
  const next = expiredTarget ?? website;
  return { outcome: 'expired', location: next === null ? undefined : toHeader(next) };
};

/** A `tid` sent again gives the ID of the first, of a kind that no partner's click has. */
async function record(
  { now, recorder }: LinksOptions,
  campaign: Campaign,
  input: LinkInput,
  visit: Visit,
): Promise<{ clickId: string; durable: boolean }> {
  const { tid, gaid, idfa, passthrough, parameters } = input;
  const clickId = tid === '' ? randomUUID() : recordId('link_click', campaign.id, tid);
  const ip = parseIp(visit.ip);
  const durable = await recorder.record({
    id: clickId,
    at: now(),
    projectId: campaign.projectId,
    campaignId: campaign.id,
    partnerId: campaign.partnerId ?? 0,
    domain: visit.domain,
    tid: cut(tid),
    gaid,
    idfa,
    ip: ip?.public ? ip.ip : '',
    ua: visit.userAgent,
    referrer: readReferrer(visit.referrer, visit.domain),
    passthrough,
    parameters: { ...campaign.link.utm, ...parameters },
  });
  return { clickId, durable };
}
