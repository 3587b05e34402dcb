-- name: network
-- One row if project $1 has a campaign of the ad network $2.
SELECT 1 AS known
FROM campaigns
WHERE project_id = $1 AND network = $2 AND deleted_at IS NULL
LIMIT 1;

-- name: list
-- One row per campaign of project $1, newest first: by activity $2, network $3, partners $4, effective domain $5 (the
-- project's primary domain is $6), display_id $7, each null for all; $8 rows from row $9 on. Which ones is read from an
-- index alone; only they are looked up.
SELECT campaigns.*, domains.name AS own_domain,
  (
    SELECT json_build_object('id', id, 'name', name, 'status', status, 'capi_configured', capi_configured)
    FROM network_accounts
    WHERE id = campaigns.network_account_id
  ) AS network_account,
  coalesce((
    SELECT json_agg(
      json_build_object('store_listing_id', store_listing_id, 'name', name, 'platform', platform) ORDER BY platform)
    FROM store_listings
    WHERE id = ANY (campaigns.store_listing_ids)
  ), '[]') AS store_listings,
  (
    SELECT json_build_object('id', id, 'name', name, 'slug', slug)
    FROM custom_channels
    WHERE id = campaigns.custom_channel_id
  ) AS custom_channel
FROM campaigns LEFT JOIN domains ON domains.id = campaigns.domain_id
WHERE campaigns.id = ANY (ARRAY(
  SELECT id
  FROM (
    -- OFFSET 0 keeps the filters out of here, so that they do not tempt into reading and sorting the whole table.
    SELECT id, active, network, domain_id, created_at, display_id
    FROM campaigns
    WHERE project_id = $1 AND deleted_at IS NULL
      AND ($4::integer[] IS NULL OR partner_id = ANY ($4))
      AND ($7::text IS NULL OR display_id = $7)
    ORDER BY created_at DESC, display_id
    OFFSET 0) AS in_order
  WHERE ($2::boolean IS NULL OR active = $2)
    AND ($3::text IS NULL OR network = $3)
    AND ($5::integer IS NULL OR coalesce(domain_id, $6) = $5)
  ORDER BY created_at DESC, display_id
  LIMIT $8 OFFSET $9))
ORDER BY created_at DESC, display_id;

-- name: count
-- How many campaigns the list of the same $1 to $7 has.
SELECT count(*) AS total
FROM campaigns
WHERE project_id = $1 AND deleted_at IS NULL
  AND ($2::boolean IS NULL OR active = $2)
  AND ($3::text IS NULL OR network = $3)
  AND ($4::integer[] IS NULL OR partner_id = ANY ($4))
  AND ($5::integer IS NULL OR coalesce(domain_id, $6) = $5)
  AND ($7::text IS NULL OR display_id = $7);

-- name: affiliates
-- One row per partner with a campaign in project $1: from each partner the index leads to the next, over all of its
-- campaigns.
WITH RECURSIVE present AS (
  (
    SELECT partner_id
    FROM campaigns
    WHERE project_id = $1 AND deleted_at IS NULL AND partner_id IS NOT NULL
    ORDER BY partner_id
    LIMIT 1
  )
  UNION ALL
  SELECT (
    SELECT partner_id
    FROM campaigns
    WHERE project_id = $1 AND deleted_at IS NULL AND partner_id > present.partner_id
    ORDER BY partner_id
    LIMIT 1
  )
  FROM present
  WHERE partner_id IS NOT NULL
)
SELECT id, name
FROM partners JOIN present ON partner_id = id;

-- name: one
-- The campaign $2 of project $1 with its custom channel, if it is not deleted.
SELECT campaigns.*,
  (
    SELECT json_build_object('id', id, 'name', name, 'slug', slug)
    FROM custom_channels
    WHERE id = campaigns.custom_channel_id
  ) AS custom_channel
FROM campaigns
WHERE project_id = $1 AND display_id = $2 AND deleted_at IS NULL;

-- name: create
-- Creates a campaign from the object $1; nothing where its account has this display_id already, deleted or not.
INSERT INTO campaigns (account_id, project_id, display_id, name, deeplink, domain_id, is_shortlink, website,
  android_web_redirect, ios_web_redirect, custom_channel_id, store_listing_ids, tags, utm, expires_at, expired_target,
  card, revision)
SELECT account_id, project_id, display_id, name, deeplink, domain_id, is_shortlink, website, android_web_redirect,
  ios_web_redirect, custom_channel_id, store_listing_ids, coalesce(tags, '{}'), utm, expires_at, expired_target, card,
  revision
FROM jsonb_populate_record(NULL::campaigns, $1)
ON CONFLICT (account_id, display_id) DO NOTHING
RETURNING *;

-- name: update
-- Sets what can be edited of campaign $1 from the object $2.
UPDATE campaigns
SET name = wanted.name, active = wanted.active, website = wanted.website,
  android_web_redirect = wanted.android_web_redirect, ios_web_redirect = wanted.ios_web_redirect,
  custom_channel_id = wanted.custom_channel_id, revision = wanted.revision, updated_at = now()
FROM jsonb_populate_record(NULL::campaigns, $2) AS wanted
WHERE campaigns.id = $1;

-- name: delete
-- Deletes campaign $1 at revision $2. Its row stays, so that its display_id is not given out again.
UPDATE campaigns SET deleted_at = now(), revision = $2 WHERE id = $1;

-- name: store-listings
-- The store listings $2 of project $1.
SELECT id, store_listing_id, name, platform FROM store_listings WHERE project_id = $1 AND store_listing_id = ANY ($2);
