-- One row per template of partner $1 that holds in all projects.
SELECT id, event, method, url, headers, body, enabled, created_at, switched_off_at
FROM postback_templates WHERE partner_id = $1 AND project_id IS NULL ORDER BY id
