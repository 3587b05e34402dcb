-- Gives saved query $2 of project $1 name $3 and query $4.
UPDATE saved_queries SET name = $3, query = $4, updated_at = now()
WHERE project_id = $1 AND id = $2
RETURNING id, name, query, created_by, created_at, updated_at
