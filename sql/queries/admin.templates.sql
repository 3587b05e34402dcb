-- One row per template of partner $1 that holds in all projects, or per override of project $2; the other one is null.
SELECT id, partner_id, project_id, event, method, url, headers, body, withhold, enabled, created_at, switched_off_at
FROM postback_templates
WHERE CASE WHEN $2::integer IS NULL THEN partner_id = $1::integer AND project_id IS NULL ELSE project_id = $2 END
