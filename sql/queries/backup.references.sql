-- One row per reference of a table to another one.
SELECT DISTINCT relation.relname AS name, referenced.relname AS referenced
FROM pg_constraint AS reference
JOIN pg_class AS relation ON relation.oid = reference.conrelid
JOIN pg_class AS referenced ON referenced.oid = reference.confrelid
WHERE reference.contype = 'f' AND reference.conrelid <> reference.confrelid
  AND relation.relnamespace = current_schema()::regnamespace
