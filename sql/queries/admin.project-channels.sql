-- One row per custom channel of project $1, deactivated ones too.
SELECT id, name, slug, active FROM custom_channels WHERE project_id = $1 ORDER BY id
