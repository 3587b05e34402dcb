/** What the configuration consists of, as requests see it, and how the rows of PostgreSQL become that. */
import type * as queries from './queries';

export type { LinkCard } from './queries';

export interface Campaign {
  readonly id: number;
  readonly projectId: number;
  readonly displayId: string;
  readonly partnerId: number | null;
  /** The campaign's own domain; null where it uses whichever its project has. */
  readonly domainId: number | null;
  readonly live: boolean;
  readonly deleted: boolean;
  readonly targets: Targets;
  readonly link: LinkSettings;
}

/** What the link of a campaign has besides its targets. */
export interface LinkSettings {
  /** UTM values that it passes on where the opened link has none, by name. */
  readonly utm: Readonly<Record<string, string>>;
  /** From when it counts no clicks, in milliseconds; Infinity for never. */
  readonly expiresAt: number;
  /** Where it leads from then on; null: to the website of the project. */
  readonly expiredTarget: string | null;
  /** What other services show of it; null for nothing of its own. */
  readonly card: queries.LinkCard | null;
}

/** Most links have nothing of this: they share it. */
const PLAIN_LINK: LinkSettings = { utm: {}, expiresAt: Infinity, expiredTarget: null, card: null };

/** Where the links of a campaign lead, by configuration. */
export interface Targets {
  readonly website: string | null;
  readonly androidWebRedirect: string | null;
  readonly iosWebRedirect: string | null;
  /** In the order of the campaign; what they lead to is `storeListing`. */
  readonly storeListingIds: readonly number[];
}

/** Most campaigns of a large project lead where the project does: they share this one. */
const NO_TARGETS: Targets = { website: null, androidWebRedirect: null, iosWebRedirect: null, storeListingIds: [] };

export interface StoreListing {
  readonly platform: string;
  readonly url: string;
}

export interface App {
  /** In its canonical form. */
  readonly appId: string;
  readonly platform: string;
  readonly teamId: string | null;
  readonly bundleId: string | null;
  readonly certFingerprints: readonly string[];
}

export interface Domain {
  readonly id: number;
  readonly projectId: number;
}

/** An advertiser's project, as its keys reach it. */
export interface Project {
  readonly id: number;
  readonly name: string;
  readonly accountId: number;
  readonly website: string | null;
  readonly billing: { readonly suspended: boolean; readonly paymentLink: string | null };
  readonly primaryDomain: { readonly id: number; readonly name: string } | null;
  /** Whether web campaigns are turned on. */
  readonly webCampaigns: boolean;
  readonly createdAt: Date;
}

export interface Switches {
  readonly s2sClicks: boolean;
  readonly s2sTraffic: boolean;
  readonly viewThrough: boolean;
  /** Canonical app IDs on which CTV is on. */
  readonly ctvApps: ReadonlySet<string>;
}

/** What a partner has whom the advertiser never switched on. */
export const OFF: Switches = { s2sClicks: false, s2sTraffic: false, viewThrough: false, ctvApps: new Set() };

export function toProject(row: queries.ProjectRow): Project {
  return {
    id: row.id,
    name: row.name,
    accountId: row.account_id,
    website: row.website,
    billing: { suspended: row.billing_status === 'suspended', paymentLink: row.payment_link },
    primaryDomain:
      row.primary_domain_id === null ? null : { id: row.primary_domain_id, name: row.primary_domain as string },
    webCampaigns: row.web_campaigns,
    createdAt: row.created_at,
  };
}

function toTargets(row: queries.TargetsRow): Targets {
  const {
    website,
    android_web_redirect: androidWebRedirect,
    ios_web_redirect: iosWebRedirect,
    store_listing_ids: storeListingIds,
  } = row;
  if (website === null && androidWebRedirect === null && iosWebRedirect === null && storeListingIds.length === 0)
    return NO_TARGETS;
  return { website, androidWebRedirect, iosWebRedirect, storeListingIds };
}

function toLinkSettings({ utm, expires_at: at, expired_target, card }: queries.CampaignRow): LinkSettings {
  if (utm === null && at === null && card === null) return PLAIN_LINK;
  return { utm: utm ?? {}, expiresAt: at?.getTime() ?? Infinity, expiredTarget: expired_target, card };
}

export function toApp(row: queries.AppRow): App {
  return {
    appId: row.app_id,
    platform: row.platform,
    teamId: row.team_id,
    bundleId: row.bundle_id,
    certFingerprints: row.sha256_cert_fingerprints,
  };
}

export function toCampaign(row: queries.CampaignRow): Campaign {
  return {
    id: row.id,
    projectId: row.project_id,
    displayId: row.display_id,
    partnerId: row.partner_id,
    domainId: row.domain_id,
    live: row.active && !row.deleted,
    deleted: row.deleted,
    targets: toTargets(row),
    link: toLinkSettings(row),
  };
}

export function toSwitches(row: queries.SwitchesRow): Switches {
  return {
    s2sClicks: row.s2s_clicks,
    s2sTraffic: row.s2s_traffic,
    viewThrough: row.view_through,
    ctvApps: new Set(row.ctv_apps),
  };
}
