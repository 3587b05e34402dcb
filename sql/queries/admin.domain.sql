-- Domain $2 of project $1, and whether the project has others.
SELECT id, is_primary,
  EXISTS (SELECT 1 FROM domains AS other WHERE other.project_id = $1 AND other.id <> $2) AS has_others
FROM domains
WHERE project_id = $1 AND id = $2
