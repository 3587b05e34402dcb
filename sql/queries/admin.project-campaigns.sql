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
ORDER BY campaigns.created_at DESC, display_id
