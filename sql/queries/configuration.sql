-- name: partners
-- One row per partner.
SELECT id, name, status FROM partners;

-- name: projects
-- One row per project, with the billing of its account and its primary domain.
SELECT projects.id, projects.name, projects.account_id, accounts.billing_status, accounts.payment_link,
  projects.website, projects.web_campaigns, projects.created_at,
  primary_domain.id AS primary_domain_id, primary_domain.name AS primary_domain
FROM projects
JOIN accounts ON accounts.id = projects.account_id
LEFT JOIN domains AS primary_domain ON primary_domain.project_id = projects.id AND primary_domain.is_primary;

-- name: keys
-- One row per key of a project that works.
SELECT sha256, project_id, kind FROM project_keys WHERE revoked_at IS NULL;

-- name: domains
-- One row per tracking domain.
SELECT id, name, project_id FROM domains;

-- name: store-listings
-- One row per store listing that leads anywhere, the oldest first.
SELECT id, project_id, platform, url FROM store_listings WHERE url IS NOT NULL ORDER BY id;

-- name: put-channel
-- Creates the custom channel $3 with code $2 in project $1, unless the project has that code already.
INSERT INTO custom_channels (project_id, slug, name) VALUES ($1, $2, $3) ON CONFLICT (project_id, slug) DO NOTHING;

-- name: channel
-- The custom channel of project $1 with code $2.
SELECT id, name, slug, active FROM custom_channels WHERE project_id = $1 AND slug = $2;

-- name: copied-projects
-- One row per project: its settings as adtrail.projects in ClickHouse holds them.
SELECT id AS project_id, name, timezone, currency,
  attribution -> 'click_window_days' AS click_window_days,
  attribution -> 'ip_click_window_hours' AS ip_click_window_hours,
  attribution -> 'view_window_hours' AS view_window_hours,
  attribution -> 'ctv_window_hours' AS ctv_window_hours,
  attribution -> 'reinstall_window_days' AS reinstall_window_days,
  attribution -> 'inactivity_days' AS inactivity_days
FROM projects;

-- name: copied-switches
-- One row per partner that an advertiser has switched anything on for, as adtrail.partner_switches in ClickHouse holds
-- it.
SELECT project_id, partner_id, s2s_clicks::int AS s2s_clicks, s2s_traffic::int AS s2s_traffic,
  view_through::int AS view_through, ctv_apps, view_window_hours
FROM partner_switches;

-- name: changed-campaigns
-- One row per campaign changed since revision $1, as adtrail.campaigns in ClickHouse holds it. A change may have been
-- copied in part, so those of revision $1 itself come again.
SELECT campaigns.id AS campaign_id, campaigns.project_id, campaigns.display_id, campaigns.name,
  coalesce(campaigns.partner_id, 0) AS partner_id, coalesce(partners.name, '') AS partner_name,
  upper(coalesce(campaigns.network, '')) AS network, coalesce(custom_channels.name, '') AS custom_channel,
  coalesce(campaigns.network_campaign_id, '') AS network_campaign_id,
  campaigns.utm_ids, campaigns.web_to_app::int AS web_to_app, campaigns.active::int AS active,
  (campaigns.deleted_at IS NOT NULL)::int AS deleted, 2 AS layout, campaigns.revision
FROM campaigns
LEFT JOIN partners ON partners.id = campaigns.partner_id
LEFT JOIN custom_channels ON custom_channels.id = campaigns.custom_channel_id
WHERE campaigns.revision >= $1
ORDER BY campaigns.revision;

-- name: exchange-rates
-- One row per currency and day: what one unit was worth in US dollars, with the revision of the configuration that says
-- so.
SELECT currency, date, usd::text AS usd, (SELECT revision FROM configuration) AS revision FROM exchange_rates;

-- name: exchange-rates-digest
-- Changes whenever an exchange rate does.
SELECT coalesce(md5(string_agg(concat_ws(' ', currency, date, usd), ',' ORDER BY currency, date)), '') AS digest
FROM exchange_rates;

-- name: campaigns
-- One row per campaign that has changed since revision $1, deleted ones too.
SELECT id, project_id, display_id, partner_id, domain_id, active, deleted_at IS NOT NULL AS deleted,
  website, android_web_redirect, ios_web_redirect, store_listing_ids, utm, expires_at, expired_target, card
FROM campaigns
WHERE revision > $1;

-- name: note-key-uses
-- Notes that the keys whose SHA-256 are $1 were used at $2. What was noted since $3 stays.
UPDATE project_keys SET last_used_at = $2
WHERE sha256 = ANY ($1) AND (last_used_at IS NULL OR last_used_at < $3);

-- name: revision
-- The revision of the configuration: a process that has loaded this one has everything.
SELECT revision FROM configuration;

-- name: tokens
-- One row per partner token that works, or will work until valid_until.
SELECT sha256, partner_id, valid_until
FROM partner_tokens
WHERE revoked_at IS NULL AND (valid_until IS NULL OR valid_until > now());

-- name: apps
-- One row per app of a project; several projects may have the same app.
SELECT project_id, app_id, platform, team_id, bundle_id, sha256_cert_fingerprints FROM apps ORDER BY id;

-- name: switches
-- One row per partner that an advertiser has switched anything on for.
SELECT project_id, partner_id, s2s_clicks, s2s_traffic, view_through, ctv_apps FROM partner_switches;

-- name: synced-campaigns
-- One row per network campaign of the array $1 that a project has: the oldest, where a workspace gave one to several;
-- and whether its network calls it otherwise by now.
SELECT DISTINCT ON (project_id, network, network_campaign_id) campaigns.id, project_id, network, network_campaign_id,
  coalesce(campaigns.named_by_network AND wanted.name <> campaigns.name, false) AS is_renamed
FROM jsonb_to_recordset($1) AS wanted (project_id integer, network text, network_campaign_id text, name text)
JOIN campaigns USING (project_id, network, network_campaign_id)
WHERE campaigns.deleted_at IS NULL
ORDER BY project_id, network, network_campaign_id, campaigns.id;

-- name: create-synced-campaigns
-- Creates the campaigns of the array $1 with revision $2.
INSERT INTO campaigns (account_id, project_id, display_id, name, network, network_campaign_id, network_account_id,
  named_by_network, revision)
SELECT projects.account_id, wanted.project_id, wanted.display_id, coalesce(wanted.name, wanted.network_campaign_id),
  wanted.network, wanted.network_campaign_id, wanted.network_account_id, true, $2
FROM jsonb_to_recordset($1) AS wanted (project_id integer, display_id text, name text, network text,
  network_campaign_id text, network_account_id integer)
JOIN projects ON projects.id = wanted.project_id
ON CONFLICT (account_id, display_id) DO NOTHING;

-- name: rename-synced-campaigns
-- Gives the campaigns of the array $1 their networks' names, with revision $2, unless somebody else has named them.
UPDATE campaigns
SET name = wanted.name, revision = $2, updated_at = now()
FROM jsonb_to_recordset($1) AS wanted (id integer, name text)
WHERE campaigns.id = wanted.id AND campaigns.named_by_network;

-- name: time-zones-of-projects
-- One row per time zone that projects have.
SELECT DISTINCT timezone FROM projects;

-- name: rename-time-zone
-- Gives projects with the time zone $1 the name $2.
UPDATE projects SET timezone = $2 WHERE timezone = $1;

-- name: postback-templates
-- One row per template of partner $1 that holds in all projects, or per override of project $2; the other one is null.
SELECT id, partner_id, project_id, event, method, url, headers, body, withhold, enabled, created_at, switched_off_at
FROM postback_templates
WHERE CASE WHEN $2::integer IS NULL THEN partner_id = $1::integer AND project_id IS NULL ELSE project_id = $2 END;

-- name: postback-secrets
-- One row per secret of partner $1, or of project $2, the other one being null; sealed, and shown to nobody.
SELECT name, secret, created_at, changed_at
FROM postback_secrets
WHERE partner_id IS NOT DISTINCT FROM $1 AND project_id IS NOT DISTINCT FROM $2
ORDER BY name;

-- name: put-postback-secret
-- Sets the secret of name $3 of partner $1, or of project $2, the other one being null, to $4, which is sealed.
INSERT INTO postback_secrets (partner_id, project_id, name, secret) VALUES ($1, $2, $3, $4)
ON CONFLICT (partner_id, project_id, name) DO UPDATE SET secret = EXCLUDED.secret, changed_at = clock_timestamp();

-- name: retire-webhook-secrets
-- Gives the newest secret of webhook $1 the end $2, and answers with it.
UPDATE webhook_secrets SET valid_until = $2 WHERE webhook_id = $1 AND valid_until IS NULL RETURNING valid_until;

-- name: system-campaign
-- The system campaign of project $1, which comes with its primary domain: display ID $2, at revision $3.
INSERT INTO campaigns (account_id, project_id, display_id, name, is_system, revision)
SELECT account_id, id, $2, 'MAIN_DOMAIN', true, $3
FROM projects
WHERE id = $1 AND EXISTS (SELECT 1 FROM domains WHERE domains.project_id = projects.id AND domains.is_primary)
ON CONFLICT (project_id) WHERE is_system DO NOTHING;
