-- The custom channel of project $1 with code $2.
SELECT id, name, slug, active FROM custom_channels WHERE project_id = $1 AND slug = $2
