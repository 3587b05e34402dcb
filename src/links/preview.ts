/** What the link of a campaign would do on each platform; nobody clicks (docs/contract/tracking-links.md). */
import type { Campaign, ConfigSnapshot, Project } from '../configuration/config-snapshot';
import { shareableLink, trackingLink } from '../configuration/campaign-url';
import { chooseTarget, type Origin, type Platform, type Target } from '../configuration/link-target';
import type { Postgres } from '../db/postgres';
import { ApiError } from '../errors';
import { readLink } from './input';
import { appsOpened } from './presenter';
import { readLinkRow, type LinkRow } from './queries';
import { buildAddress, toHeader } from './target';

/** Why a link leads where it does, in words. */
const WHY: Readonly<Record<Origin, string>> = {
  campaign_redirect: 'The campaign has a web redirect for this platform.',
  campaign_store: 'The campaign has a store listing for this platform.',
  campaign_website: 'The campaign has a website.',
  project_store: 'The campaign has no target of its own; its project has a store listing.',
  project_website: 'The campaign has no target of its own here; its project has a website.',
};
const INACTIVE = 'The campaign is not active: the link leads to the website of the project, and no click counts.';
const EXPIRED = 'The time of the link is over: no click counts.';
const NOWHERE = 'Nothing is configured for this platform: the link answers 404.';

/** @throws ApiError 404 when the project has no such campaign. */
export async function previewLink(
  postgres: Postgres,
  snapshot: ConfigSnapshot,
  project: Project,
  displayId: string,
  now: number,
) {
  const campaign = findCampaign(snapshot, project, displayId);
  const row = (await readLinkRow(postgres, project.id, campaign.id)) as LinkRow;
  const domain = row.own_domain ?? project.primaryDomain?.name ?? null;
  const apps = appsOpened(snapshot.listApps(project.id));
  const on = (platform: Platform) => ({
    ...(!campaign.live
      ? inactive(project)
      : now >= campaign.link.expiresAt
        ? expired(campaign, project)
        : buildPreview(platform, campaign, snapshot, project)),
    opens_apps: apps[platform],
  });
  return {
    display_id: displayId,
    name: row.name,
    active: campaign.live,
    domain,
    link: trackingLink({ domain, displayId, deeplink: row.deeplink, isShortlink: row.is_shortlink }) || null,
    short_link: shareableLink(domain, displayId) || null,
    qr: domain === null ? null : `https://${domain}/qr?c=${displayId}`,
    configured: {
      deeplink: row.deeplink,
      website: row.website,
      ios_web_redirect: row.ios_web_redirect,
      android_web_redirect: row.android_web_redirect,
    },
    platforms: { ios: on('ios'), android: on('android'), desktop: on('desktop') },
  };
}

/** The address that the QR code of a campaign shows. @throws ApiError 404 where there is none. */
export async function linkOfCode(postgres: Postgres, snapshot: ConfigSnapshot, project: Project, displayId: string) {
  const campaign = findCampaign(snapshot, project, displayId);
  const row = await readLinkRow(postgres, project.id, campaign.id);
  const link = shareableLink(row?.own_domain ?? project.primaryDomain?.name ?? null, displayId);
  if (!campaign.live || link === '') throw new ApiError(404, 'Campaign not found.');
  return link;
}

function findCampaign(snapshot: ConfigSnapshot, project: Project, displayId: string): Campaign {
  const campaign = snapshot.campaign(project.id, displayId);
  if (!campaign || campaign.deleted) throw new ApiError(404, 'Campaign not found.');
  return campaign;
}

function buildPreview(platform: Platform, campaign: Campaign, snapshot: ConfigSnapshot, project: Project) {
  const target = chooseTarget(platform, campaign, snapshot, project.website);
  if (!target) return { location: null, kind: null, from: null, why: NOWHERE };
  const link = readLink('preview.invalid', `/?c=${campaign.displayId}`);
  return {
    location: buildAddress(target, campaign, link, undefined),
    kind: presentKind(target),
    from: target.from,
    why: WHY[target.from],
  };
}

const presentKind = ({ kind }: Target) => (kind === 'web' ? ('web' as const) : ('store' as const));

const inactive = ({ website }: Project) =>
  website === null
    ? { location: null, kind: null, from: null, why: NOWHERE }
    : { location: toHeader(website), kind: 'web' as const, from: 'project_website' as const, why: INACTIVE };

function expired({ link: { expiredTarget } }: Campaign, { website }: Project) {
  const next = expiredTarget ?? website;
  if (next === null) return { location: null, kind: null, from: null, why: `${EXPIRED} It answers 410.` };
  const from = expiredTarget === null ? ('project_website' as const) : ('expired_target' as const);
  return { location: toHeader(next), kind: 'web' as const, from, why: EXPIRED };
}
