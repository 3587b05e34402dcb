-- name: tables
-- One row per table of the service, with its columns but those that PostgreSQL computes.
SELECT relation.relname AS name, array_agg(attribute.attname::text ORDER BY attribute.attnum) AS columns
FROM pg_class AS relation
JOIN pg_attribute AS attribute ON attribute.attrelid = relation.oid
WHERE relation.relnamespace = current_schema()::regnamespace AND relation.relkind = 'r'
  AND attribute.attnum > 0 AND NOT attribute.attisdropped AND attribute.attgenerated = ''
  AND relation.relname <> 'schema_migrations'
GROUP BY relation.relname
ORDER BY relation.relname;

-- name: migrations
-- One row per migration that was applied.
SELECT name FROM schema_migrations ORDER BY name;

-- name: references
-- One row per reference of a table to another one.
SELECT DISTINCT relation.relname AS name, referenced.relname AS referenced
FROM pg_constraint AS reference
JOIN pg_class AS relation ON relation.oid = reference.conrelid
JOIN pg_class AS referenced ON referenced.oid = reference.confrelid
WHERE reference.contype = 'f' AND reference.conrelid <> reference.confrelid
  AND relation.relnamespace = current_schema()::regnamespace;

-- name: sequences
-- One row per sequence that was used, with the last number that it gave.
SELECT sequencename AS name, last_value AS last
FROM pg_sequences
WHERE schemaname = current_schema() AND last_value IS NOT NULL
ORDER BY sequencename;

-- name: keep-logs
-- Forgets the processes whose logs a backup does not have, all but those of $1: nobody waits for them.
DELETE FROM ingest_processes WHERE name <> ALL($1::uuid[]);

-- name: hold-messages
-- Holds what is told of events that were received up to $1, when the backup was taken: the service that it was taken
-- of may have sent it since.
WITH held AS (
  UPDATE outbox SET is_held = true
)
INSERT INTO restores (events_until) VALUES ($1);

-- name: waiting-logs
-- One row per process whose log holds records that are not in ClickHouse, of those that are not in $1.
SELECT name, host, received_up_to
FROM ingest_processes
WHERE backlog <> '[]' AND name <> ALL($1::uuid[])
ORDER BY name;
