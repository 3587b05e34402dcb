/** The queries behind administration, one function per file of sql/queries. */
import type { PostbackTemplate } from '../configuration/postbacks/template';
import type { Row } from '../db/postgres';
import { queriesOf } from '../db/sql';

const query = queriesOf('admin');

export const readAccounts = query('accounts');
export const readPartners = query('partners');
export const readProjects = query<{ id: number; account_id: number }>('projects');
export const readExchangeRates = query('exchange-rates');
export const readPartnerTokens = query('partner-tokens');
export const readCampaigns = query('project-campaigns');
export const countCampaigns = query<{ total: number }>('project-campaigns-count');
export const retireTokens = query<{ valid_until: Date }>('retire-tokens');
export const revokeTokens = query('revoke-tokens');
/** Headers are sealed. */
export const readPostbacks = query<TemplateRow>('postbacks');
export const readPostbackOverrides = query<TemplateRow>('postback-overrides');
export interface TemplateRow extends PostbackTemplate, Row {
  readonly event: string;
  /** Null for every partner. */
  readonly partner_id: number | null;
}
/** Headers are sealed. */
export const readTemplates = query<TemplateRow>('templates');
export interface PostbackSecretRow extends Row {
  readonly name: string;
  /** Sealed. */
  readonly secret: string;
  readonly created_at: Date;
  readonly changed_at: Date;
}
export const readPostbackSecrets = query<PostbackSecretRow>('postback-secrets');
export const putPostbackSecret = query('put-postback-secret');
export const deletePostbackSecret = query<{ id: number }>('delete-postback-secret');
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
export const readDomains = query<{ id: number; name: string; primary: boolean; is_pending: boolean; token: string }>(
  'project-domains',
);
export const findPendingDomain = query<{ is_primary: boolean | null; is_taken: boolean }>('pending-domain');
export const proveDomain = query('prove-domain');
export const deletePendingDomain = query<{ id: number }>('delete-pending-domain');
export const claimPendingDomains = query<{ id: number; project_id: number; name: string; token: string }>(
  'claim-pending-domains',
);
export const stepDown = query('step-down');
export const addSystemCampaign = query('system-campaign');
export const findAppOfOthers = query<{ app_id: string }>('app-of-others');
export const leaveDomain = query('leave-domain');
export const deleteDomain = query('delete-domain');
export const findCampaign = query<{ id: number; display_id: string }>('campaign');
export const pause = query('pause');
export const unpause = query('unpause');
export const createReader = query('create-reader');
export const endReader = query('end-reader');
export const readReaders = query<{ name: string; project_id: number; ended: boolean; suspended: boolean }>('readers');
export const deactivateChannel = query('deactivate-channel');

export interface WatermarkRow extends Row {
  name: string;
  /** In milliseconds since 1970; 0 for never. */
  watermark: number;
  settled: number;
  sources: string[];
}
export const readWatermarks = query<WatermarkRow>('watermarks');

/** What a project contains, by the name of its list: `GET /admin/v1/projects/{id}/<name>`; domains are beside it. */
export const projectLists = {
  keys: query('keys'),
  apps: query('project-apps'),
  store_listings: query('project-store-listings'),
  network_accounts: query('project-network-accounts'),
  channels: query('project-channels'),
  partners: query('project-partners'),
} as const;
