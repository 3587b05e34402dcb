/** What PostgreSQL knows of the campaigns of the report, one function per statement of sql/queries. */
import type { Queryable, Row } from '../db/postgres';
import { readQuery } from '../db/sql';

export interface ProjectRow extends Row {
  timezone: string;
  currency: string;
  ios: boolean;
  android: boolean;
  domains: readonly string[];
}

export interface CampaignRow extends Row {
  id: number;
  display_id: string;
  name: string;
  active: boolean;
  created_at: Date;
  network: string | null;
  network_campaign_id: string | null;
  network_account_id: number | null;
  web_to_app: boolean;
  deeplink: string | null;
  is_shortlink: boolean;
  partner: string | null;
  domain_id: number | null;
  domain: string | null;
  ios_listing: string | null;
  android_listing: string | null;
}

export interface NetworkAccountRow extends Row {
  id: number;
  name: string | null;
  email: string | null;
  status: string;
  capi_configured: boolean;
  account_name: string | null;
  external_customer_id: string;
}

const texts = {
  project: readQuery('sql', 'app-report.project'),
  campaigns: readQuery('sql', 'app-report.campaigns'),
  accounts: readQuery('sql', 'app-report.network-accounts'),
  order: readQuery('sql', 'app-report.order'),
  putOrder: readQuery('sql', 'app-report.put-order'),
};

export const readProject = async (db: Queryable, projectId: number) =>
  (await db.rows<ProjectRow>(texts.project, [projectId]))[0] as ProjectRow;
export const readCampaigns = (db: Queryable, projectId: number, active: boolean | null, metaAccountId: number | null) =>
  db.rows<CampaignRow>(texts.campaigns, [projectId, active, metaAccountId]);
export const readNetworkAccounts = (db: Queryable, ids: readonly number[]) =>
  db.rows<NetworkAccountRow>(texts.accounts, [ids]);
/** The order in which the first page of a report was given lately; undefined if it was not. */
export const readOrder = async (db: Queryable, projectId: number, parameters: string) =>
  (await db.rows<{ campaign_ids: number[] }>(texts.order, [projectId, parameters]))[0]?.campaign_ids;
export const putOrder = (db: Queryable, projectId: number, parameters: string, ids: readonly number[]) =>
  db.rows(texts.putOrder, [projectId, parameters, ids]);
