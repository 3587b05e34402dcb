-- One row per partition of a table. Table: system.parts.
SELECT DISTINCT partition_id AS id
FROM system.parts
WHERE database = {database:String} AND table = {table:String} AND active
ORDER BY id
