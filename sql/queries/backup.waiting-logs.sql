-- One row per process whose log holds records that are not in ClickHouse, of those that are not in $1.
SELECT name, host, received_up_to
FROM ingest_processes
WHERE backlog <> '[]' AND name <> ALL($1::uuid[])
ORDER BY name
