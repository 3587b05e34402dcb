-- One row per tracking domain of project $1.
SELECT id, name, is_primary AS "primary" FROM domains WHERE project_id = $1 ORDER BY id
