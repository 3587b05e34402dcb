/** The queries behind the workspace, one function per statement of sql/queries. */
import { postgresQuery } from '../db/sql';

export const findProject = postgresQuery<{ id: number; name: string; account: string; timezone: string }>(
  'workspace.project',
);
export const findProjectByName = postgresQuery('workspace.project-by-name');
export const findAccount = postgresQuery<{ id: number; projects: number }>('workspace.account');
export const readLastEntry = postgresQuery<{ id: number }>('workspace.last-entry');
export const readChanges = postgresQuery('workspace.changes');
export const countChanges = postgresQuery<{ changed: number }>('workspace.count-changes');
export const readAccounts = postgresQuery<{ id: number; name: string }>('workspace.accounts');
export const changeAccount = postgresQuery('workspace.change-account');
export const readProjects = postgresQuery<{ id: number; account_id: number }>('workspace.projects');
export const readExchangeRates = postgresQuery('workspace.exchange-rates');
export const readApps = postgresQuery('workspace.apps');
export const readStoreListings = postgresQuery('workspace.store-listings');
export const readNetworkAccounts = postgresQuery('workspace.network-accounts');
export const findAppOfOthers = postgresQuery<{ app_id: string }>('workspace.app-of-others');
export const deleteApp = postgresQuery<{ app_id: string }>('workspace.delete-app');
export const readPartnersWithCtvApp = postgresQuery<{ name: string }>('workspace.partners-with-ctv-app');
export const deleteStoreListing = postgresQuery<{ id: number }>('workspace.delete-store-listing');
export const readCampaignsWithStoreListing = postgresQuery<{ name: string }>('workspace.campaigns-with-store-listing');
export const readCampaigns = postgresQuery('workspace.campaigns');
export const countCampaigns = postgresQuery<{ total: number }>('workspace.count-campaigns');
export const findCampaign = postgresQuery<{ id: number; display_id: string }>('workspace.campaign');
export const pause = postgresQuery('workspace.pause');
export const unpause = postgresQuery('workspace.unpause');
export const readWebhookSecrets = postgresQuery<{ secret: string; valid_until: Date | null }>(
  'workspace.webhook-secrets',
);
export const findPlaceOfOthers = postgresQuery<{ place: string }>('scheduled-exports.place-of-others');
