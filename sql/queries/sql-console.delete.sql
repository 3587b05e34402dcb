-- Deletes saved query $2 of project $1.
DELETE FROM saved_queries WHERE project_id = $1 AND id = $2 RETURNING id
