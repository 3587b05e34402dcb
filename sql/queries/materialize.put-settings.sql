-- The rows that materialization $1 derived of project $2 have time zone $3 and $4 days of inactivity.
INSERT INTO materialization_settings (name, project_id, timezone, inactivity_days) VALUES ($1, $2, $3, $4)
ON CONFLICT (name, project_id)
DO UPDATE SET timezone = EXCLUDED.timezone, inactivity_days = EXCLUDED.inactivity_days
