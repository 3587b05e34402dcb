/** The queries behind administration, one function per file of sql/queries. */
import type { Row } from '../db/postgres';
import { queriesOf } from '../db/sql';

const query = queriesOf('admin');

export const readAccounts = query('accounts');
export const readPartners = query('partners');
export const readProjects = query('projects');
export const readExchangeRates = query('exchange-rates');
export const readPartnerTokens = query('partner-tokens');
export const readCampaigns = query('project-campaigns');
export const countCampaigns = query<{ total: number }>('project-campaigns-count');
export const retireTokens = query<{ valid_until: Date }>('retire-tokens');
export const revokeTokens = query('revoke-tokens');
export const readPostbacks = query('postbacks');
export const readPostbackOverrides = query('postback-overrides');
export const deletePostback = query<{ id: number }>('delete-postback');
export const readWebhooks = query<{ id: number; url: string }>('webhooks');
export const createWebhook = query<{ id: number }>('create-webhook');
export const changeWebhook = query('change-webhook');
export const deleteWebhookSecrets = query('delete-webhook-secrets');
export const deleteWebhook = query('delete-webhook');
export const readWebhookSecrets = query<{ secret: string; valid_until: Date | null }>('webhook-secrets');
export const retireWebhookSecrets = query<{ valid_until: Date }>('retire-webhook-secrets');
export const createKey = query<{ id: number; kind: string }>('create-key');
export const revokeKey = query('revoke-key');
export const findProject = query<{ id: number; name: string; account: string; timezone: string }>('project');
export const findProjectByName = query('project-by-name');
export const deleteApp = query<{ app_id: string }>('delete-app');
export const readPartnersWithCtvApp = query<{ name: string }>('partners-with-ctv-app');
export const deleteStoreListing = query<{ id: number }>('delete-store-listing');
export const readCampaignsWithStoreListing = query<{ name: string }>('campaigns-with-store-listing');
export const findDomain = query<{ id: number; is_primary: boolean; has_others: boolean }>('domain');
export const findDomainName = query<{ name: string }>('domain-name');
export const leaveDomain = query('leave-domain');
export const deleteDomain = query('delete-domain');
export const findCampaign = query<{ id: number; display_id: string }>('campaign');
export const pause = query('pause');
export const unpause = query('unpause');
export const deactivateChannel = query('deactivate-channel');

export interface WatermarkRow extends Row {
  name: string;
  /** In milliseconds since 1970; 0 for never. */
  watermark: number;
  settled: number;
  sources: string[];
}
export const readWatermarks = query<WatermarkRow>('watermarks');

/** What a project contains, by the name of its list: `GET /admin/v1/projects/{id}/<name>`. */
export const projectLists = {
  keys: query('keys'),
  apps: query('project-apps'),
  domains: query('project-domains'),
  store_listings: query('project-store-listings'),
  network_accounts: query('project-network-accounts'),
  channels: query('project-channels'),
  partners: query('project-partners'),
} as const;
