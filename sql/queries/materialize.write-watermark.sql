-- Materialization $1 has taken in everything stored up to $2 (milliseconds); its sources had $3 rows in the minute
-- before.
INSERT INTO watermarks (name, watermark, recent_rows) VALUES ($1, to_timestamp($2::bigint / 1000.0), $3)
ON CONFLICT (name) DO UPDATE SET watermark = EXCLUDED.watermark, recent_rows = EXCLUDED.recent_rows
WHERE watermarks.watermark < EXCLUDED.watermark
