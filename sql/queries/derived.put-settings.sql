-- Notes that everything derived of project $1 has time zone $2 and $3 days of inactivity.
INSERT INTO journey_settings (project_id, timezone, inactivity_days) VALUES ($1, $2, $3)
ON CONFLICT (project_id) DO UPDATE SET timezone = EXCLUDED.timezone, inactivity_days = EXCLUDED.inactivity_days
