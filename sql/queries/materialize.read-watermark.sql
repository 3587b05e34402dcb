-- How far materialization $1 has come, in milliseconds: by the time of storage, and by that of receipt; and how many
-- rows its sources had then in the minute before.
SELECT
  floor(extract(epoch FROM watermark) * 1000)::bigint AS watermark,
  floor(extract(epoch FROM settled) * 1000)::float8 AS settled,
  recent_rows
FROM watermarks
WHERE name = $1
