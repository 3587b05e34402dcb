-- name: list
-- One row per custom channel of project $1, deactivated ones too.
SELECT id, name, slug, active FROM custom_channels WHERE project_id = $1 ORDER BY id;

-- name: deactivate
-- Deactivates the custom channel of project $1 with code $2; its name stays taken.
UPDATE custom_channels SET active = false WHERE project_id = $1 AND slug = $2 RETURNING id;
