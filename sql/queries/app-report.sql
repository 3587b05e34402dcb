-- name: project
-- The settings of project $1 that a report depends on, the platforms of its apps, and its domains.
SELECT timezone, currency,
  ARRAY(SELECT name FROM domains WHERE project_id = projects.id) AS domains,
  EXISTS (SELECT FROM apps WHERE project_id = projects.id AND platform = 'IOS') AS ios,
  EXISTS (SELECT FROM apps WHERE project_id = projects.id AND platform = 'ANDROID') AS android
FROM projects
WHERE id = $1;

-- name: campaigns
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
ORDER BY campaigns.id;

-- name: network-accounts
-- The ad-network accounts with the IDs $1.
SELECT id, name, email, status, capi_configured, account_name, external_customer_id
FROM network_accounts
WHERE id = ANY ($1);

-- name: order
-- The order in which the first page of the report $2 of project $1 was given within the last hour.
SELECT campaign_ids
FROM report_orders
WHERE project_id = $1 AND parameters = $2 AND created_at > now() - interval '1 hour';

-- name: put-order
-- Keeps the order $3 in which the first page of the report $2 of project $1 is given, and forgets old ones.
WITH old AS (
  DELETE FROM report_orders WHERE created_at < now() - interval '1 hour' AND (project_id, parameters) <> ($1, $2)
)
INSERT INTO report_orders (project_id, parameters, campaign_ids) VALUES ($1, $2, $3)
ON CONFLICT (project_id, parameters) DO UPDATE SET campaign_ids = EXCLUDED.campaign_ids, created_at = now();
