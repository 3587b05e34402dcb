-- One row per saved query of project $1, by name.
SELECT id, name, query, created_by, created_at, updated_at FROM saved_queries WHERE project_id = $1 ORDER BY name
