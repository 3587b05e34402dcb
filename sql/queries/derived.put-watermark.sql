-- Notes that everything stored before $2 (milliseconds) has been taken into the derived table $1.
INSERT INTO derived_tables (name, watermark) VALUES ($1, to_timestamp($2::double precision / 1000))
ON CONFLICT (name) DO UPDATE SET watermark = EXCLUDED.watermark
