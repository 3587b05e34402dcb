-- Saves query $3 under name $2 for project $1, by $4, unless the project has $5 already.
INSERT INTO saved_queries (project_id, name, query, created_by)
SELECT $1, $2, $3, $4
WHERE (SELECT count(*) FROM saved_queries WHERE project_id = $1) < $5
RETURNING id, name, query, created_by, created_at, updated_at
