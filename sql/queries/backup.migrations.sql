-- One row per migration that was applied.
SELECT name FROM schema_migrations ORDER BY name
