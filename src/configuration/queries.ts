/** The queries behind the snapshot, one function per statement of sql/queries. */
import type { Queryable } from '../db/postgres';
import { readQuery } from '../db/sql';

export type PartnerRow = { id: number; name: string; status: string };
export type TokenRow = { sha256: string; partner_id: number; valid_until: Date | null };
export type AppRow = {
  project_id: number;
  app_id: string;
  platform: string;
  team_id: string | null;
  bundle_id: string | null;
  sha256_cert_fingerprints: string[];
};
export type StoreListingRow = { id: number; project_id: number; platform: string; url: string };
export type DomainRow = { id: number; name: string; project_id: number };
export type SwitchesRow = {
  project_id: number;
  partner_id: number;
  s2s_clicks: boolean;
  s2s_traffic: boolean;
  view_through: boolean;
  ctv_apps: string[];
};
/** A title, and what there is besides. */
export type LinkCard = { title: string; description: string | null; image: string | null };
export type CampaignRow = {
  id: number;
  project_id: number;
  display_id: string;
  partner_id: number | null;
  domain_id: number | null;
  active: boolean;
  deleted: boolean;
  utm: Readonly<Record<string, string>> | null;
  expires_at: Date | null;
  expired_target: string | null;
  card: LinkCard | null;
} & TargetsRow;
export type TargetsRow = {
  website: string | null;
  android_web_redirect: string | null;
  ios_web_redirect: string | null;
  store_listing_ids: number[];
};

export type ProjectRow = {
  id: number;
  name: string;
  account_id: number;
  billing_status: string;
  payment_link: string | null;
  primary_domain_id: number | null;
  primary_domain: string | null;
  website: string | null;
  web_campaigns: boolean;
  created_at: Date;
};
export type KeyRow = { sha256: string; project_id: number; kind: KeyKind };
export const KEY_KINDS = ['server_key', 'app_key', 'web_key'] as const;
export type KeyKind = (typeof KEY_KINDS)[number];

const texts = {
  revision: readQuery('sql', 'configuration.revision'),
  partners: readQuery('sql', 'configuration.partners'),
  tokens: readQuery('sql', 'configuration.tokens'),
  apps: readQuery('sql', 'configuration.apps'),
  storeListings: readQuery('sql', 'configuration.store-listings'),
  domains: readQuery('sql', 'configuration.domains'),
  switches: readQuery('sql', 'configuration.switches'),
  campaigns: readQuery('sql', 'configuration.campaigns'),
  projects: readQuery('sql', 'configuration.projects'),
  keys: readQuery('sql', 'configuration.keys'),
};

export const readRevision = async (db: Queryable) =>
  (await db.rows<{ revision: number }>(texts.revision))[0]?.revision ?? 0;

/** Everything that the snapshot holds, of campaigns only those that changed. */
export interface ConfigurationRows {
  readonly partners: readonly PartnerRow[];
  readonly tokens: readonly TokenRow[];
  readonly projects: readonly ProjectRow[];
  readonly keys: readonly KeyRow[];
  readonly apps: readonly AppRow[];
  readonly storeListings: readonly StoreListingRow[];
  readonly domains: readonly DomainRow[];
  readonly switches: readonly SwitchesRow[];
  readonly changedCampaigns: readonly CampaignRow[];
}

/** `since` is the revision whose campaigns are known; -1 for none. */
export const readConfiguration = async (db: Queryable, since: number): Promise<ConfigurationRows> => ({
  partners: await db.rows<PartnerRow>(texts.partners),
  tokens: await db.rows<TokenRow>(texts.tokens),
  projects: await db.rows<ProjectRow>(texts.projects),
  keys: await db.rows<KeyRow>(texts.keys),
  apps: await db.rows<AppRow>(texts.apps),
  storeListings: await db.rows<StoreListingRow>(texts.storeListings),
  domains: await db.rows<DomainRow>(texts.domains),
  switches: await db.rows<SwitchesRow>(texts.switches),
  changedCampaigns: await db.rows<CampaignRow>(texts.campaigns, [since]),
});
