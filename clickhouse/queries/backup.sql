-- name: tables
-- One row per table that holds rows, with the bytes of its parts. Table: system.tables.
SELECT name, ifNull(total_bytes, 0) AS bytes
FROM system.tables
WHERE database = {database:String} AND engine LIKE '%MergeTree' AND name != 'applied_migrations'
ORDER BY name;

-- name: migrations
-- One row per migration that was applied. Table: adtrail.applied_migrations, which has a note of the views besides.
SELECT DISTINCT name FROM adtrail.applied_migrations WHERE name != 'views' ORDER BY name;

-- name: sum
-- One row: how many rows a table has, and the sum of their hashes. Two tables with the same of both have the same rows,
-- in whatever order and parts.
SELECT count() AS rows, toString(sum(cityHash64(tuple(*)))) AS sum
FROM {database:Identifier}.{table:Identifier};

-- name: progress
-- One row per BACKUP or RESTORE of an ID: whether it goes on, and why it failed. Table: system.backups.
SELECT status, error FROM system.backups WHERE id = {id:String};

-- name: columns
-- One row per column of a table that rows are inserted with. Table: system.columns.
SELECT name
FROM system.columns
WHERE database = {database:String} AND table = {table:String} AND default_kind NOT IN ('MATERIALIZED', 'ALIAS')
ORDER BY position;

-- name: partitions
-- One row per partition of a table. Table: system.parts.
SELECT DISTINCT partition_id AS id
FROM system.parts
WHERE database = {database:String} AND table = {table:String} AND active
ORDER BY id;

-- name: rows
-- The rows of one partition of a table, with the columns that are inserted.
SELECT *
FROM {database:Identifier}.{table:Identifier}
WHERE _partition_id = {partition:String};
