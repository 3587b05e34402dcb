-- Creates the custom channel $3 with code $2 in project $1, unless the project has that code already.
INSERT INTO custom_channels (project_id, slug, name) VALUES ($1, $2, $3) ON CONFLICT (project_id, slug) DO NOTHING
