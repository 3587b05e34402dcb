-- One row per column of a table that rows are inserted with. Table: system.columns.
SELECT name
FROM system.columns
WHERE database = {database:String} AND table = {table:String} AND default_kind NOT IN ('MATERIALIZED', 'ALIAS')
ORDER BY position
