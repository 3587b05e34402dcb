-- One row per migration that was applied. Table: adtrail.applied_migrations.
SELECT DISTINCT name FROM adtrail.applied_migrations ORDER BY name
