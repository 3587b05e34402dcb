-- An account may let its analysts use the SQL console.
ALTER TABLE accounts ADD COLUMN IF NOT EXISTS analyst_sql boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN accounts.analyst_sql IS 'Whether its analysts may use the SQL console [none]';
