/** Campaign rows as the answers of the endpoints (docs/contract/main-api.md). */
import { shareableLink, trackingLink } from '../configuration/campaign-url';
import type { CampaignRow, ListedRow, StoreListingRow } from './queries';

/** What the list and the edited campaign have in common. */
function flags(row: CampaignRow, attributedUsers: number) {
  const google = row.network === 'GOOGLE';
  const meta = row.network === 'META';
  return {
    display_id: row.display_id,
    name: row.name,
    created_at: row.created_at.toISOString(),
    update_at: row.updated_at.toISOString(),
    google,
    meta,
    meta_campaign_id: meta ? row.network_campaign_id : null,
    meta_web_to_app: meta && row.web_to_app,
    active: row.active,
    default_link: row.is_system,
    attributed_users: attributedUsers,
  };
}

const presentLink = (row: CampaignRow, domain: string | null) =>
  trackingLink({ domain, displayId: row.display_id, deeplink: row.deeplink, isShortlink: row.is_shortlink });

export function listedCampaign(row: ListedRow, primaryDomain: string | null, attributedUsers: number) {
  const domain = row.own_domain ?? primaryDomain;
  return {
    ...flags(row, attributedUsers),
    link: presentLink(row, domain),
    shareable_link: shareableLink(domain, row.display_id),
    website: row.website,
    domain,
    custom_channels: row.custom_channel ? [row.custom_channel] : [],
    store_listings: row.store_listings,
    network_account: row.network_account,
  };
}

export function createdCampaign(
  row: CampaignRow,
  domain: string | null,
  channel: object | null,
  listings: readonly StoreListingRow[],
) {
  return {
    id: row.id,
    name: row.name,
    link: presentLink(row, domain),
    website: row.website,
    display_id: row.display_id,
    created_at: row.created_at.toISOString(),
    android_web_redirect: row.android_web_redirect,
    ios_web_redirect: row.ios_web_redirect,
    domain,
    custom_channels: channel ? [channel] : [],
    store_listings: listings.map(({ store_listing_id, name, platform }) => ({ store_listing_id, name, platform })),
  };
}

export function editedCampaign(row: CampaignRow, channel: object | null, attributedUsers: number) {
  return {
    ...flags(row, attributedUsers),
    website: row.website,
    android_web_redirect: row.android_web_redirect,
    ios_web_redirect: row.ios_web_redirect,
    custom_channels: channel ? [channel] : [],
  };
}
