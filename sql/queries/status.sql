-- name: watermarks
-- One row per derived table: up to when everything stored, and everything received, is in it, in milliseconds since
-- 1970, and the tables that it is derived from. Earlier versions left rows of what is derived from none.
SELECT
  name,
  floor(extract(epoch FROM watermark) * 1000)::float8 AS watermark,
  floor(extract(epoch FROM settled) * 1000)::float8 AS settled,
  ARRAY(SELECT jsonb_object_keys(recent_rows) ORDER BY 1) AS sources
FROM watermarks
WHERE recent_rows <> '{}'
ORDER BY name;

-- name: projects
-- One row per project of the accounts $1.
SELECT id FROM projects WHERE account_id = ANY ($1);
