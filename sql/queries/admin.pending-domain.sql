-- Domain $2 of project $1 that is not proven yet, and whether another project has its name.
SELECT id, name, is_primary,
  EXISTS (SELECT 1 FROM domains WHERE domains.name = pending_domains.name) AS is_taken
FROM pending_domains
WHERE project_id = $1 AND id = $2
