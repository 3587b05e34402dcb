-- Creates the campaigns of the array $1 with revision $2.
INSERT INTO campaigns (account_id, project_id, display_id, name, network, network_campaign_id, network_account_id,
  named_by_network, revision)
SELECT projects.account_id, wanted.project_id, wanted.display_id, coalesce(wanted.name, wanted.network_campaign_id),
  wanted.network, wanted.network_campaign_id, wanted.network_account_id, true, $2
FROM jsonb_to_recordset($1) AS wanted (project_id integer, display_id text, name text, network text,
  network_campaign_id text, network_account_id integer)
JOIN projects ON projects.id = wanted.project_id
ON CONFLICT (account_id, display_id) DO NOTHING
