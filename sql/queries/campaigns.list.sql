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
ORDER BY created_at DESC, display_id
