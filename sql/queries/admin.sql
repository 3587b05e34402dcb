-- name: domain
-- Domain $2 of project $1, and whether the project has others.
SELECT id, is_primary,
  EXISTS (SELECT 1 FROM domains AS other WHERE other.project_id = $1 AND other.id <> $2) AS has_others
FROM domains
WHERE project_id = $1 AND id = $2;

-- name: project
-- Project $1, with the name of its account.
SELECT projects.*, accounts.name AS account
FROM projects JOIN accounts ON accounts.id = projects.account_id
WHERE projects.id = $1;

-- name: accounts
-- One row per account.
SELECT id, name, billing_status, payment_link, created_at FROM accounts ORDER BY id;

-- name: partners
-- One row per partner with the number of its tokens that work.
SELECT id, name, status, created_at,
  (
    SELECT count(*)
    FROM partner_tokens
    WHERE partner_id = partners.id AND revoked_at IS NULL AND (valid_until IS NULL OR valid_until > now())
  ) AS tokens
FROM partners
ORDER BY id;

-- name: projects
-- One row per project, in the order of their creation.
SELECT projects.id, projects.account_id, projects.name, accounts.name AS account, projects.timezone, projects.currency,
  projects.web_campaigns, projects.website, projects.attribution, projects.reject_suspicious,
  projects.created_at
FROM projects JOIN accounts ON accounts.id = projects.account_id
ORDER BY projects.id;

-- name: exchange-rates
-- One row per currency and day: what one unit was worth in US dollars.
SELECT date, currency, usd FROM exchange_rates ORDER BY date, currency;

-- name: partner-tokens
-- One row per token of partner $1, those that no longer work too; the tokens themselves are not stored.
SELECT id, created_at, valid_until, revoked_at FROM partner_tokens WHERE partner_id = $1 ORDER BY id;

-- name: project-campaigns
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

-- name: project-campaigns-count
-- How many campaigns of project $1 are not deleted.
SELECT count(*) AS total FROM campaigns WHERE project_id = $1 AND deleted_at IS NULL;

-- name: retire-tokens
-- Gives the tokens of partner $1 that had no end yet the end $2, and answers with it.
UPDATE partner_tokens SET valid_until = $2
WHERE partner_id = $1 AND valid_until IS NULL AND revoked_at IS NULL
RETURNING valid_until;

-- name: revoke-tokens
-- Revokes every token of partner $1, at once and for good.
UPDATE partner_tokens SET revoked_at = now() WHERE partner_id = $1 AND revoked_at IS NULL;

-- name: postbacks
-- One row per template of partner $1 that holds in all projects.
SELECT id, event, method, url, headers, body, enabled, created_at, switched_off_at
FROM postback_templates WHERE partner_id = $1 AND project_id IS NULL ORDER BY id;

-- name: postback-overrides
-- One row per override of project $1, with the name of the partner that it is for.
SELECT override.id, override.event, override.partner_id, partners.name AS partner, override.method, override.url,
  override.headers, override.body, override.withhold, override.enabled, override.created_at, override.switched_off_at
FROM postback_templates AS override LEFT JOIN partners ON partners.id = override.partner_id
WHERE override.project_id = $1 ORDER BY override.id;

-- name: templates
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

-- name: delete-postback-secret
-- Deletes the secret of name $3 of partner $1, or of project $2, the other one being null, and answers with its ID.
DELETE FROM postback_secrets
WHERE partner_id IS NOT DISTINCT FROM $1 AND project_id IS NOT DISTINCT FROM $2 AND name = $3
RETURNING id;

-- name: delete-postback
-- Deletes the template of event $3 of partner $1 in project $2, either of which may be null, and answers with its ID.
DELETE FROM postback_templates
WHERE partner_id IS NOT DISTINCT FROM $1 AND project_id IS NOT DISTINCT FROM $2 AND event = $3
RETURNING id;

-- name: webhooks
-- One row per webhook of project $1; its secrets are shown to nobody.
SELECT id, url, events, enabled, created_at, switched_off_at FROM webhooks WHERE project_id = $1 ORDER BY id;

-- name: create-webhook
-- Makes a webhook of project $1 and answers with its ID.
INSERT INTO webhooks (project_id, url, events, enabled) VALUES ($1, $2, $3, $4) RETURNING id;

-- name: change-webhook
-- Replaces what webhook $1 is sent, and where. One that is on is in use again.
UPDATE webhooks SET url = $2, events = $3, enabled = $4,
  switched_off_at = CASE WHEN $4 OR url <> $2 THEN NULL ELSE switched_off_at END
WHERE id = $1;

-- name: delete-webhook-secrets
-- Deletes the secrets of webhook $1, before it goes itself: the audit log then still knows whose they were.
DELETE FROM webhook_secrets WHERE webhook_id = $1;

-- name: delete-webhook
-- Deletes webhook $1.
DELETE FROM webhooks WHERE id = $1;

-- name: webhook-secrets
-- One row per secret that webhook $1 ever had.
SELECT secret, valid_until FROM webhook_secrets WHERE webhook_id = $1;

-- name: retire-webhook-secrets
-- Gives the newest secret of webhook $1 the end $2, and answers with it.
UPDATE webhook_secrets SET valid_until = $2 WHERE webhook_id = $1 AND valid_until IS NULL RETURNING valid_until;

-- name: create-key
-- A key of kind $2 for project $1, by its SHA-256 $3.
INSERT INTO project_keys (project_id, kind, sha256) VALUES ($1, $2, $3) RETURNING id, kind;

-- name: revoke-key
-- Revokes key $2 of project $1, for good; answers with it, revoked before or not.
UPDATE project_keys SET revoked_at = coalesce(revoked_at, now()) WHERE project_id = $1 AND id = $2 RETURNING id;

-- name: project-by-name
-- The project of account $1 that is named $2.
SELECT * FROM projects WHERE account_id = $1 AND name = $2;

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

-- name: project-domains
-- One row per tracking domain of project $1, those that are not proven yet included, with the project's token.
SELECT domain.id, domain.name, domain.is_primary AS "primary", domain.is_pending, projects.domain_token AS token
FROM (
  SELECT id, project_id, name, is_primary, false AS is_pending FROM domains
  UNION ALL
  SELECT id, project_id, name, false, true FROM pending_domains
) AS domain
JOIN projects ON projects.id = domain.project_id
WHERE domain.project_id = $1
ORDER BY domain.id;

-- name: pending-domain
-- Domain $2 of project $1 that is not proven yet, and whether another project has its name.
SELECT id, name, is_primary,
  EXISTS (SELECT 1 FROM domains WHERE domains.name = pending_domains.name) AS is_taken
FROM pending_domains
WHERE project_id = $1 AND id = $2;

-- name: prove-domain
-- Makes domain $2 of project $1, which is pending, one of the project's domains. What it keeps is its ID.
INSERT INTO domains (id, project_id, name, is_primary) OVERRIDING SYSTEM VALUE
SELECT id, project_id, name,
  coalesce(is_primary, NOT EXISTS (SELECT 1 FROM domains WHERE domains.project_id = pending_domains.project_id))
FROM pending_domains
WHERE project_id = $1 AND id = $2;

-- name: delete-pending-domain
-- Deletes domain $2 of project $1, which is pending.
DELETE FROM pending_domains WHERE project_id = $1 AND id = $2 RETURNING id;

-- name: claim-pending-domains
-- The $2 pending domains that nobody has asked for since $1, the longest first; other processes leave them alone now.
UPDATE pending_domains SET checked_at = now()
FROM projects
WHERE projects.id = pending_domains.project_id AND pending_domains.id IN (
  SELECT id FROM pending_domains WHERE checked_at < $1 ORDER BY checked_at LIMIT $2 FOR UPDATE SKIP LOCKED
)
RETURNING pending_domains.id, pending_domains.project_id, pending_domains.name, projects.domain_token AS token;

-- name: step-down
-- Leaves project $1 without a primary domain, before another one becomes that.
UPDATE domains SET is_primary = false WHERE project_id = $1 AND is_primary;

-- name: system-campaign
-- The system campaign of project $1, which comes with its primary domain: display ID $2, at revision $3.
INSERT INTO campaigns (account_id, project_id, display_id, name, is_system, revision)
SELECT account_id, id, $2, 'MAIN_DOMAIN', true, $3
FROM projects
WHERE id = $1 AND EXISTS (SELECT 1 FROM domains WHERE domains.project_id = projects.id AND domains.is_primary)
ON CONFLICT (project_id) WHERE is_system DO NOTHING;

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

-- name: leave-domain
-- Lets the campaigns of project $1 that have domain $2 use the project's primary one, at revision $3.
UPDATE campaigns SET domain_id = NULL, revision = $3 WHERE project_id = $1 AND domain_id = $2;

-- name: delete-domain
-- Deletes domain $1, which no campaign has any more.
DELETE FROM domains WHERE id = $1;

-- name: campaign
-- The campaign $2 of project $1, if it is not deleted.
SELECT id, display_id FROM campaigns WHERE project_id = $1 AND display_id = $2 AND deleted_at IS NULL;

-- name: pause
-- Pauses campaign $1 from now on; nothing where it is paused already.
INSERT INTO campaign_pauses (campaign_id) VALUES ($1) ON CONFLICT (campaign_id) WHERE unpaused_at IS NULL DO NOTHING;

-- name: unpause
-- Ends the pause of campaign $1; nothing where it is not paused.
UPDATE campaign_pauses SET unpaused_at = now() WHERE campaign_id = $1 AND unpaused_at IS NULL;

-- name: create-reader
-- A user of ClickHouse that sees one project. $3 is the person who makes it; null for the admin token.
INSERT INTO project_readers (name, project_id, made_by) VALUES ($1, $2, $3);

-- name: end-reader
-- A user of ClickHouse is revoked.
UPDATE project_readers SET ended_at = now() WHERE name = $1 AND ended_at IS NULL;

-- name: readers
-- One row per user of ClickHouse in $1 (names) and $2 (their projects): whether it has ended, since it was revoked or
-- its maker may no longer make one, and whether its account is suspended. $3 are the roles that may make one.
SELECT given.name, given.project_id, coalesce(accounts.billing_status = 'suspended', true) AS suspended,
  reader.ended_at IS NOT NULL OR (reader.made_by IS NOT NULL AND NOT EXISTS (
    SELECT FROM memberships
    WHERE memberships.user_id = reader.made_by AND memberships.role = ANY ($3::text[])
      AND (memberships.role = 'operator' OR memberships.account_id = projects.account_id)
  )) AS ended
FROM unnest($1::text[], $2::integer[]) AS given (name, project_id)
LEFT JOIN projects ON projects.id = given.project_id
LEFT JOIN accounts ON accounts.id = projects.account_id
LEFT JOIN project_readers AS reader ON reader.name = given.name;

-- name: deactivate-channel
-- Deactivates the custom channel of project $1 with code $2; its name stays taken.
UPDATE custom_channels SET active = false WHERE project_id = $1 AND slug = $2 RETURNING id;

-- name: watermarks
-- One row per derived table: up to when everything stored, and everything received, is in it, in milliseconds since
-- 1970, and the tables that it is derived from.
SELECT
  name,
  floor(extract(epoch FROM watermark) * 1000)::float8 AS watermark,
  floor(extract(epoch FROM settled) * 1000)::float8 AS settled,
  ARRAY(SELECT jsonb_object_keys(recent_rows) ORDER BY 1) AS sources
FROM watermarks
ORDER BY name;

-- name: keys
-- One row per key of project $1, revoked ones too; the keys themselves are not stored.
SELECT id, kind, created_at, last_used_at, revoked_at FROM project_keys WHERE project_id = $1 ORDER BY id;

-- name: project-apps
-- One row per app of project $1.
SELECT id, platform, app_id, team_id, bundle_id, sha256_cert_fingerprints FROM apps WHERE project_id = $1 ORDER BY id;

-- name: project-store-listings
-- One row per store listing of project $1.
SELECT id, store_listing_id, name, platform, url FROM store_listings WHERE project_id = $1 ORDER BY id;

-- name: project-network-accounts
-- One row per ad network account of project $1.
SELECT id, network, external_customer_id, name, email, status, capi_configured, currency, account_name
FROM network_accounts
WHERE project_id = $1
ORDER BY id;

-- name: project-channels
-- One row per custom channel of project $1, deactivated ones too.
SELECT id, name, slug, active FROM custom_channels WHERE project_id = $1 ORDER BY id;

-- name: project-partners
-- One row per partner that anything was switched on or off for in project $1.
SELECT partner_id, partners.name AS partner, s2s_clicks, s2s_traffic, view_through, ctv_apps, view_window_hours
FROM partner_switches JOIN partners ON partners.id = partner_id
WHERE project_id = $1 ORDER BY partner_id;
