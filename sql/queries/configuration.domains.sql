-- One row a tracking domain.
SELECT id, name, project_id FROM domains
