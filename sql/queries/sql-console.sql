-- name: list
-- One row per saved query of project $1, by name.
SELECT id, name, query, created_by, created_at, updated_at FROM saved_queries WHERE project_id = $1 ORDER BY name;

-- name: create
-- Saves query $3 under name $2 for project $1, by $4, unless the project has $5 already.
INSERT INTO saved_queries (project_id, name, query, created_by)
SELECT $1, $2, $3, $4
WHERE (SELECT count(*) FROM saved_queries WHERE project_id = $1) < $5
RETURNING id, name, query, created_by, created_at, updated_at;

-- name: delete
-- Deletes saved query $2 of project $1.
DELETE FROM saved_queries WHERE project_id = $1 AND id = $2 RETURNING id;

-- name: change
-- Gives saved query $2 of project $1 name $3 and query $4.
UPDATE saved_queries SET name = $3, query = $4, updated_at = now()
WHERE project_id = $1 AND id = $2
RETURNING id, name, query, created_by, created_at, updated_at;
