-- Materialization $1 has taken in everything stored up to $2 and accepted up to $4 (milliseconds); its sources had $3
-- rows in the minute before $2.
INSERT INTO watermarks (name, watermark, recent_rows, settled)
VALUES ($1, to_timestamp($2::bigint / 1000.0), $3, to_timestamp($4::float8 / 1000))
ON CONFLICT (name) DO UPDATE
SET watermark = EXCLUDED.watermark, recent_rows = EXCLUDED.recent_rows,
  settled = greatest(watermarks.settled, EXCLUDED.settled)
WHERE watermarks.watermark <= EXCLUDED.watermark
