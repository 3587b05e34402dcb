/** The queries behind the campaign endpoints, one function per statement of sql/queries. */
import type { Queryable, Row } from '../db/postgres';
import { readQuery } from '../db/sql';

export interface CampaignRow extends Row {
  id: number;
  display_id: string;
  name: string;
  is_system: boolean;
  network: string | null;
  network_campaign_id: string | null;
  web_to_app: boolean;
  deeplink: string | null;
  is_shortlink: boolean;
  website: string | null;
  android_web_redirect: string | null;
  ios_web_redirect: string | null;
  custom_channel_id: number | null;
  active: boolean;
  created_at: Date;
  updated_at: Date;
}

export interface ListedRow extends CampaignRow {
  own_domain: string | null;
  network_account: object | null;
  store_listings: object[];
  custom_channel: object | null;
}

export interface OneRow extends CampaignRow {
  custom_channel: object | null;
}

export interface StoreListingRow extends Row {
  id: number;
  store_listing_id: string;
  name: string;
  platform: string;
}

/** What a list is of; null for all. */
export interface Selection {
  readonly projectId: number;
  readonly active: boolean | null;
  readonly network: string | null;
  readonly partnerIds: readonly number[] | null;
  readonly domainId: number | null;
  readonly primaryDomainId: number | null;
  readonly displayId: string | null;
}

const texts = {
  list: readQuery('sql', 'campaigns.list'),
  count: readQuery('sql', 'campaigns.count'),
  affiliates: readQuery('sql', 'campaigns.affiliates'),
  network: readQuery('sql', 'campaigns.network'),
  one: readQuery('sql', 'campaigns.one'),
  create: readQuery('sql', 'campaigns.create'),
  update: readQuery('sql', 'campaigns.update'),
  delete: readQuery('sql', 'campaigns.delete'),
  storeListings: readQuery('sql', 'campaigns.store-listings'),
};
const values = (of: Selection) => [
  of.projectId,
  of.active,
  of.network,
  of.partnerIds,
  of.domainId,
  of.primaryDomainId,
  of.displayId,
];

export const listCampaigns = (db: Queryable, of: Selection, limit: number, offset: number) =>
  db.rows<ListedRow>(texts.list, [...values(of), limit, offset]);
export const countCampaigns = async (db: Queryable, of: Selection) =>
  (await db.rows<{ total: number }>(texts.count, values(of)))[0]?.total ?? 0;
export const readAffiliates = (db: Queryable, projectId: number) =>
  db.rows<{ id: number; name: string }>(texts.affiliates, [projectId]);
export const hasNetwork = async (db: Queryable, projectId: number, network: string) =>
  (await db.rows(texts.network, [projectId, network])).length > 0;
export const findCampaign = async (db: Queryable, projectId: number, displayId: string) =>
  (await db.rows<OneRow>(texts.one, [projectId, displayId]))[0];
export const createCampaignRow = async (db: Queryable, row: Row) =>
  (await db.rows<CampaignRow>(texts.create, [JSON.stringify(row)]))[0];
export const updateCampaignRow = (db: Queryable, id: number, wanted: Row) =>
  db.rows(texts.update, [id, JSON.stringify(wanted)]);
export const deleteCampaignRow = (db: Queryable, id: number, revision: number) => db.rows(texts.delete, [id, revision]);
export const findStoreListings = (db: Queryable, projectId: number, ids: readonly string[]) =>
  db.rows<StoreListingRow>(texts.storeListings, [projectId, ids]);
