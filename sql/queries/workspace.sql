-- name: project
-- Project $1, with the name of its account.
SELECT projects.*, accounts.name AS account
FROM projects JOIN accounts ON accounts.id = projects.account_id
WHERE projects.id = $1;

-- name: project-by-name
-- The project of account $1 that is named $2.
SELECT * FROM projects WHERE account_id = $1 AND name = $2;

-- name: accounts
-- One row per account.
SELECT id, name, billing_status, payment_link, analyst_sql, created_at FROM accounts ORDER BY id;

-- name: change-account
-- Sets whether the analysts of account $1 may use SQL; a null in $2 leaves it as it is.
UPDATE accounts SET analyst_sql = coalesce($2, analyst_sql) WHERE id = $1
RETURNING id, name, billing_status, payment_link, analyst_sql, created_at;

-- name: projects
-- One row per project, in the order of their creation.
SELECT projects.id, projects.account_id, projects.name, accounts.name AS account, projects.timezone, projects.currency,
  projects.web_campaigns, projects.website, projects.attribution, projects.reject_suspicious,
  projects.target_roas, projects.locale, projects.created_at
FROM projects JOIN accounts ON accounts.id = projects.account_id
ORDER BY projects.id;

-- name: exchange-rates
-- One row per currency and day: what one unit was worth in US dollars.
SELECT date, currency, usd FROM exchange_rates ORDER BY date, currency;

-- name: apps
-- One row per app of project $1.
SELECT id, platform, app_id, team_id, bundle_id, sha256_cert_fingerprints FROM apps WHERE project_id = $1 ORDER BY id;

-- name: store-listings
-- One row per store listing of project $1.
SELECT id, store_listing_id, name, platform, url FROM store_listings WHERE project_id = $1 ORDER BY id;

-- name: network-accounts
-- One row per ad network account of project $1.
SELECT id, network, external_customer_id, name, email, status, capi_configured, currency, account_name
FROM network_accounts
WHERE project_id = $1
ORDER BY id;

-- name: app-of-others
-- The first of the app IDs $2 that another account has, and that the account of project $1 does not have itself.
SELECT apps.app_id
FROM apps
JOIN projects ON projects.id = apps.project_id
JOIN projects AS own ON own.id = $1
WHERE apps.app_id = ANY ($2) AND projects.account_id <> own.account_id
  AND NOT EXISTS (
    SELECT 1
    FROM apps AS ours
    JOIN projects AS beside ON beside.id = ours.project_id
    WHERE ours.app_id = apps.app_id AND beside.account_id = own.account_id
  )
LIMIT 1;

-- name: delete-app
-- Deletes app $2 of project $1. What it sent stays.
DELETE FROM apps WHERE project_id = $1 AND id = $2 RETURNING app_id;

-- name: partners-with-ctv-app
-- The first $3 partners, by name, that have CTV on for the app with app ID $2 in project $1.
SELECT partners.name
FROM partner_switches JOIN partners ON partners.id = partner_switches.partner_id
WHERE partner_switches.project_id = $1 AND $2 = ANY (partner_switches.ctv_apps)
ORDER BY partners.name
LIMIT $3;

-- name: delete-store-listing
-- Deletes store listing $2 of project $1.
DELETE FROM store_listings WHERE project_id = $1 AND id = $2 RETURNING id;

-- name: campaigns-with-store-listing
-- The first $3 campaigns of project $1, by display ID, that have store listing $2; deleted ones do not count.
SELECT display_id AS name
FROM campaigns
WHERE project_id = $1 AND deleted_at IS NULL AND $2 = ANY (store_listing_ids)
ORDER BY display_id
LIMIT $3;

-- name: campaigns
-- One row per campaign of project $1 that is not deleted, newest first; $2 rows from row $3 on.
SELECT campaigns.id, display_id, campaigns.name, partners.name AS partner, network, network_campaign_id, active,
  is_system AS default_link, campaigns.created_at, updated_at AS update_at,
  EXISTS (SELECT FROM campaign_pauses WHERE campaign_id = campaigns.id AND unpaused_at IS NULL) AS paused
FROM campaigns LEFT JOIN partners ON partners.id = partner_id
WHERE campaigns.id = ANY (ARRAY(
  SELECT id
  FROM campaigns
  WHERE project_id = $1 AND deleted_at IS NULL
  ORDER BY created_at DESC, display_id
  LIMIT $2 OFFSET $3))
ORDER BY campaigns.created_at DESC, display_id;

-- name: count-campaigns
-- How many campaigns of project $1 are not deleted.
SELECT count(*) AS total FROM campaigns WHERE project_id = $1 AND deleted_at IS NULL;

-- name: campaign
-- The campaign $2 of project $1, if it is not deleted.
SELECT id, display_id FROM campaigns WHERE project_id = $1 AND display_id = $2 AND deleted_at IS NULL;

-- name: pause
-- Pauses campaign $1 from now on; nothing where it is paused already.
INSERT INTO campaign_pauses (campaign_id) VALUES ($1) ON CONFLICT (campaign_id) WHERE unpaused_at IS NULL DO NOTHING;

-- name: unpause
-- Ends the pause of campaign $1; nothing where it is not paused.
UPDATE campaign_pauses SET unpaused_at = now() WHERE campaign_id = $1 AND unpaused_at IS NULL;

-- name: webhook-secrets
-- One row per secret that webhook $1 ever had.
SELECT secret, valid_until FROM webhook_secrets WHERE webhook_id = $1;

-- name: account
-- The account named $1, and how many projects it has.
SELECT id, (SELECT count(*) FROM projects WHERE account_id = accounts.id) AS projects FROM accounts WHERE name = $1;

-- name: last-entry
-- The ID of the latest entry of the audit log.
SELECT coalesce(max(id), 0) AS id FROM audit_log;

-- name: changes
-- One row per entry of the audit log after $1 that this transaction has made, in their order, at most $2.
SELECT action, subject, name, before, after
FROM audit_log
WHERE id > $1 AND xmin = pg_current_xact_id()::xid
ORDER BY id
LIMIT $2;

-- name: count-changes
-- How many entries of the audit log after $1 this transaction has made.
SELECT count(*) AS changed FROM audit_log WHERE id > $1 AND xmin = pg_current_xact_id()::xid;
