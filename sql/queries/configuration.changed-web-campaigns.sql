-- One row per campaign changed since revision $1, as web reports match it. A change may have been copied in part, so
-- those of revision $1 itself come again.
SELECT id AS campaign_id, project_id, display_id, name, upper(coalesce(network, '')) AS network,
  coalesce(network_campaign_id, '') AS network_campaign_id,
  utm_ids, (deleted_at IS NOT NULL)::int AS deleted, revision
FROM campaigns
WHERE revision >= $1
ORDER BY revision
