-- One row per webhook of project $1; its secrets are shown to nobody.
SELECT id, url, events, enabled, created_at, switched_off_at FROM webhooks WHERE project_id = $1 ORDER BY id
