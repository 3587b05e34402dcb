/** The queries behind administration, one function per statement of sql/queries. */
import type { PostbackTemplate } from '../configuration/postbacks/template';
import type { Row } from '../db/postgres';
import { postgresQuery } from '../db/sql';

export const readAccounts = postgresQuery('admin.accounts');
export const readPartners = postgresQuery('admin.partners');
export const readProjects = postgresQuery<{ id: number; account_id: number }>('admin.projects');
export const readExchangeRates = postgresQuery('admin.exchange-rates');
export const readPartnerTokens = postgresQuery('admin.partner-tokens');
export const readCampaigns = postgresQuery('admin.project-campaigns');
export const countCampaigns = postgresQuery<{ total: number }>('admin.project-campaigns-count');
export const retireTokens = postgresQuery<{ valid_until: Date }>('admin.retire-tokens');
export const revokeTokens = postgresQuery('admin.revoke-tokens');
/** Headers are sealed. */
export const readPostbacks = postgresQuery<TemplateRow>('admin.postbacks');
export const readPostbackOverrides = postgresQuery<TemplateRow>('admin.postback-overrides');
export interface TemplateRow extends PostbackTemplate, Row {
  readonly event: string;
  /** Null for every partner. */
  readonly partner_id: number | null;
}
/** Headers are sealed. */
export const readTemplates = postgresQuery<TemplateRow>('admin.templates');
export interface PostbackSecretRow extends Row {
  readonly name: string;
  /** Sealed. */
  readonly secret: string;
  readonly created_at: Date;
  readonly changed_at: Date;
}
export const readPostbackSecrets = postgresQuery<PostbackSecretRow>('admin.postback-secrets');
export const putPostbackSecret = postgresQuery('admin.put-postback-secret');
export const deletePostbackSecret = postgresQuery<{ id: number }>('admin.delete-postback-secret');
export const deletePostback = postgresQuery<{ id: number }>('admin.delete-postback');
export const readWebhooks = postgresQuery<{ id: number; url: string }>('admin.webhooks');
export const createWebhook = postgresQuery<{ id: number }>('admin.create-webhook');
export const changeWebhook = postgresQuery('admin.change-webhook');
export const deleteWebhookSecrets = postgresQuery('admin.delete-webhook-secrets');
export const deleteWebhook = postgresQuery('admin.delete-webhook');
export const readWebhookSecrets = postgresQuery<{ secret: string; valid_until: Date | null }>('admin.webhook-secrets');
export const retireWebhookSecrets = postgresQuery<{ valid_until: Date }>('admin.retire-webhook-secrets');
export const createKey = postgresQuery<{ id: number; kind: string }>('admin.create-key');
export const revokeKey = postgresQuery('admin.revoke-key');
export const findProject = postgresQuery<{ id: number; name: string; account: string; timezone: string }>(
  'admin.project',
);
export const findProjectByName = postgresQuery('admin.project-by-name');
export const deleteApp = postgresQuery<{ app_id: string }>('admin.delete-app');
export const readPartnersWithCtvApp = postgresQuery<{ name: string }>('admin.partners-with-ctv-app');
export const deleteStoreListing = postgresQuery<{ id: number }>('admin.delete-store-listing');
export const readCampaignsWithStoreListing = postgresQuery<{ name: string }>('admin.campaigns-with-store-listing');
export const findDomain = postgresQuery<{ id: number; is_primary: boolean; has_others: boolean }>('admin.domain');
export const readDomains = postgresQuery<{
  id: number;
  name: string;
  primary: boolean;
  is_pending: boolean;
  token: string;
}>('admin.project-domains');
export const findPendingDomain = postgresQuery<{ is_primary: boolean | null; is_taken: boolean }>(
  'admin.pending-domain',
);
export const proveDomain = postgresQuery('admin.prove-domain');
export const deletePendingDomain = postgresQuery<{ id: number }>('admin.delete-pending-domain');
export const claimPendingDomains = postgresQuery<{ id: number; project_id: number; name: string; token: string }>(
  'admin.claim-pending-domains',
);
export const stepDown = postgresQuery('admin.step-down');
export const addSystemCampaign = postgresQuery('admin.system-campaign');
export const findAppOfOthers = postgresQuery<{ app_id: string }>('admin.app-of-others');
export const leaveDomain = postgresQuery('admin.leave-domain');
export const deleteDomain = postgresQuery('admin.delete-domain');
export const findCampaign = postgresQuery<{ id: number; display_id: string }>('admin.campaign');
export const pause = postgresQuery('admin.pause');
export const unpause = postgresQuery('admin.unpause');
export const createReader = postgresQuery('admin.create-reader');
export const endReader = postgresQuery('admin.end-reader');
export const readReaders = postgresQuery<{ name: string; project_id: number; ended: boolean; suspended: boolean }>(
  'admin.readers',
);
export const deactivateChannel = postgresQuery('admin.deactivate-channel');

export interface WatermarkRow extends Row {
  name: string;
  /** In milliseconds since 1970; 0 for never. */
  watermark: number;
  settled: number;
  sources: string[];
}
export const readWatermarks = postgresQuery<WatermarkRow>('admin.watermarks');

/** What a project contains, by the name of its list: `GET /admin/v1/projects/{id}/<name>`; domains are beside it. */
export const projectLists = {
  keys: postgresQuery('admin.keys'),
  apps: postgresQuery('admin.project-apps'),
  store_listings: postgresQuery('admin.project-store-listings'),
  network_accounts: postgresQuery('admin.project-network-accounts'),
  channels: postgresQuery('admin.project-channels'),
  partners: postgresQuery('admin.project-partners'),
} as const;
