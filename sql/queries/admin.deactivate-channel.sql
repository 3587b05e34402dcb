-- Deactivates the custom channel of project $1 with code $2; its name stays taken.
UPDATE custom_channels SET active = false WHERE project_id = $1 AND slug = $2 RETURNING id
