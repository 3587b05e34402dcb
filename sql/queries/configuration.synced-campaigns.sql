-- One row per network campaign of the array $1 that a project has: the oldest, where a workspace gave one to several.
SELECT DISTINCT ON (project_id, network, network_campaign_id) campaigns.id, project_id, network, network_campaign_id
FROM jsonb_to_recordset($1) AS wanted (project_id integer, network text, network_campaign_id text)
JOIN campaigns USING (project_id, network, network_campaign_id)
WHERE campaigns.deleted_at IS NULL
ORDER BY project_id, network, network_campaign_id, campaigns.id
