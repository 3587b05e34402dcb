-- One row per table that holds rows, with the bytes of its parts. Table: system.tables.
SELECT name, total_bytes AS bytes
FROM system.tables
WHERE database = {database:String} AND engine LIKE '%MergeTree' AND name != 'applied_migrations'
ORDER BY name
