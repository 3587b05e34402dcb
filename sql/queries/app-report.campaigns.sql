-- One row per campaign of project $1 that is not deleted, with what a report says of it and filters by.
SELECT campaigns.id, campaigns.display_id, campaigns.name, campaigns.active, campaigns.created_at, campaigns.network,
  campaigns.network_campaign_id, campaigns.network_account_id,
  campaigns.web_to_app, campaigns.deeplink, campaigns.is_shortlink, partners.name AS partner,
  coalesce(own.id, main.id) AS domain_id, coalesce(own.name, main.name) AS domain,
  ios.name AS ios_listing, android.name AS android_listing
FROM campaigns
LEFT JOIN partners ON partners.id = campaigns.partner_id
LEFT JOIN domains AS own ON own.id = campaigns.domain_id
LEFT JOIN domains AS main ON main.project_id = campaigns.project_id AND main.is_primary
LEFT JOIN LATERAL (
  SELECT name FROM store_listings WHERE id = ANY (campaigns.store_listing_ids) AND platform = 'IOS' LIMIT 1
) AS ios ON true
LEFT JOIN LATERAL (
  SELECT name FROM store_listings WHERE id = ANY (campaigns.store_listing_ids) AND platform = 'ANDROID' LIMIT 1
) AS android ON true
WHERE campaigns.project_id = $1 AND campaigns.deleted_at IS NULL
  AND ($2::boolean IS NULL OR campaigns.active = $2)
  AND ($3::integer IS NULL OR (campaigns.network = 'META' AND campaigns.network_account_id = $3))
ORDER BY campaigns.id
