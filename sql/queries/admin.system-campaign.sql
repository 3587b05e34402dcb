-- The system campaign of project $1, which comes with its primary domain: display ID $2, at revision $3.
INSERT INTO campaigns (account_id, project_id, display_id, name, is_system, revision)
SELECT account_id, id, $2, 'MAIN_DOMAIN', true, $3
FROM projects
WHERE id = $1 AND EXISTS (SELECT 1 FROM domains WHERE domains.project_id = projects.id AND domains.is_primary)
ON CONFLICT (project_id) WHERE is_system DO NOTHING
