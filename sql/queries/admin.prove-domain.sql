-- Makes domain $2 of project $1, which is pending, one of the project's domains. What it keeps is its ID.
INSERT INTO domains (id, project_id, name, is_primary) OVERRIDING SYSTEM VALUE
SELECT id, project_id, name,
  coalesce(is_primary, NOT EXISTS (SELECT 1 FROM domains WHERE domains.project_id = pending_domains.project_id))
FROM pending_domains
WHERE project_id = $1 AND id = $2
