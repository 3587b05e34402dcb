-- One row per network campaign of the array $1 that a project has: the oldest, where a workspace gave one to several;
-- and whether its network calls it otherwise by now.
SELECT DISTINCT ON (project_id, network, network_campaign_id) campaigns.id, project_id, network, network_campaign_id,
  coalesce(campaigns.named_by_network AND wanted.name <> campaigns.name, false) AS is_renamed
FROM jsonb_to_recordset($1) AS wanted (project_id integer, network text, network_campaign_id text, name text)
JOIN campaigns USING (project_id, network, network_campaign_id)
WHERE campaigns.deleted_at IS NULL
ORDER BY project_id, network, network_campaign_id, campaigns.id
