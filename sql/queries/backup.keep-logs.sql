-- Forgets the processes whose logs a backup does not have, all but those of $1: nobody waits for them.
DELETE FROM ingest_processes WHERE name <> ALL($1::uuid[])
