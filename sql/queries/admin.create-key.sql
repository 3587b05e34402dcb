-- A key of kind $2 for project $1, by its SHA-256 $3.
INSERT INTO project_keys (project_id, kind, sha256) VALUES ($1, $2, $3) RETURNING id, kind
