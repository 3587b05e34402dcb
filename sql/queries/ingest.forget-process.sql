-- Nothing is left in the log of process $1. Resolves with its row, if there was one.
DELETE FROM ingest_processes WHERE name = $1 RETURNING name
