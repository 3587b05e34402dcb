-- How far materialization $1 has come, in milliseconds, and how many rows its sources had then in the minute before.
SELECT floor(extract(epoch FROM watermark) * 1000)::bigint AS watermark, recent_rows FROM watermarks WHERE name = $1
