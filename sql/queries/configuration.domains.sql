-- One row per tracking domain.
SELECT id, name, project_id FROM domains
