-- name: next-version
-- The version of the rows that the next run writes, greater than that of every run before it.
SELECT nextval('materialization_versions') AS version;

-- name: read-watermark
-- How far materialization $1 has come, in milliseconds: by the time of storage, and by that of receipt; and how many
-- rows its sources had then in the minute before.
SELECT
  floor(extract(epoch FROM watermark) * 1000)::bigint AS watermark,
  floor(extract(epoch FROM settled) * 1000)::float8 AS settled,
  recent_rows
FROM watermarks
WHERE name = $1;

-- name: write-watermark
-- Materialization $1 has taken in everything stored up to $2 and accepted up to $4 (milliseconds); its sources had $3
-- rows in the minute before $2.
INSERT INTO watermarks (name, watermark, recent_rows, settled)
VALUES ($1, to_timestamp($2::bigint / 1000.0), $3, to_timestamp($4::float8 / 1000))
ON CONFLICT (name) DO UPDATE
SET watermark = EXCLUDED.watermark, recent_rows = EXCLUDED.recent_rows,
  settled = greatest(watermarks.settled, EXCLUDED.settled)
WHERE watermarks.watermark <= EXCLUDED.watermark
RETURNING name;

-- name: write-settled
-- Materialization $1 has taken in everything accepted up to $2 (milliseconds), though not all that was stored.
INSERT INTO watermarks (name, watermark, recent_rows, settled)
VALUES ($1, to_timestamp(0), '{}', to_timestamp($2::float8 / 1000))
ON CONFLICT (name) DO UPDATE SET settled = greatest(watermarks.settled, EXCLUDED.settled);

-- name: settings
-- One row per project: its settings, and those with which materialization $1 derived its rows; null if it never did.
SELECT projects.id, projects.timezone,
  coalesce((projects.attribution ->> 'inactivity_days')::integer, 0) AS inactivity_days,
  derived.timezone AS derived_timezone, derived.inactivity_days AS derived_inactivity_days
FROM projects LEFT JOIN materialization_settings AS derived ON derived.project_id = projects.id AND derived.name = $1;

-- name: put-settings
-- The rows that materialization $1 derived of project $2 have time zone $3 and $4 days of inactivity.
INSERT INTO materialization_settings (name, project_id, timezone, inactivity_days) VALUES ($1, $2, $3, $4)
ON CONFLICT (name, project_id)
DO UPDATE SET timezone = EXCLUDED.timezone, inactivity_days = EXCLUDED.inactivity_days;

-- name: read-layout
-- The layout that all rows of materialization $1 have; none while some are of an earlier version.
SELECT layout FROM materialization_layouts WHERE name = $1;

-- name: put-layout
-- All rows of materialization $1 have layout $2.
INSERT INTO materialization_layouts (name, layout) VALUES ($1, $2)
ON CONFLICT (name) DO UPDATE SET layout = EXCLUDED.layout, filled_at = now();
