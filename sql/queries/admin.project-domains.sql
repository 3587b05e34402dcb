-- One row per tracking domain of project $1, those that are not proven yet included, with the project's token.
SELECT domain.id, domain.name, domain.is_primary AS "primary", domain.is_pending, projects.domain_token AS token
FROM (
  SELECT id, project_id, name, is_primary, false AS is_pending FROM domains
  UNION ALL
  SELECT id, project_id, name, false, true FROM pending_domains
) AS domain
JOIN projects ON projects.id = domain.project_id
WHERE domain.project_id = $1
ORDER BY domain.id
