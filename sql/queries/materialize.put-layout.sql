-- All rows of materialization $1 have layout $2.
INSERT INTO materialization_layouts (name, layout) VALUES ($1, $2)
ON CONFLICT (name) DO UPDATE SET layout = EXCLUDED.layout, filled_at = now()
