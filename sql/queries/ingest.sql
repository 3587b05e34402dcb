-- name: publish
-- Tells of process $1 on host $2 that everything received up to $3 (milliseconds since 1970) is in ClickHouse, what
-- waits ($4), and when it last stored records ($6, milliseconds). One row of the other processes: up to which receipt
-- time everything that they accepted is in ClickHouse, of those that have told of themselves within $5 seconds, and of
-- all, null where there is none; and when any of them last stored records.
WITH published AS (
  INSERT INTO ingest_processes (name, host, received_up_to, backlog, stored_at)
  VALUES ($1, $2, to_timestamp($3::float8 / 1000), $4, to_timestamp($6::float8 / 1000))
  ON CONFLICT (name) DO UPDATE
  SET received_up_to = excluded.received_up_to, published_at = now(), backlog = excluded.backlog,
    stored_at = excluded.stored_at
)
SELECT
  floor(extract(epoch FROM min(received_up_to) FILTER (WHERE published_at > now() - make_interval(secs => $5))) * 1000)
    ::float8 AS by_living,
  floor(extract(epoch FROM min(received_up_to)) * 1000)::float8 AS by_all,
  coalesce(floor(extract(epoch FROM max(stored_at)) * 1000), 0)::float8 AS stored_at
FROM ingest_processes
WHERE name <> $1;

-- name: forget-process
-- Nothing is left in the log of process $1. Resolves with its row, if there was one.
DELETE FROM ingest_processes WHERE name = $1 RETURNING name;

-- name: processes
-- Every process that has an ingest log, oldest first; one that has not told of itself for $1 seconds is left behind.
SELECT
  name, host, started_at, published_at, received_up_to, backlog,
  published_at <= now() - make_interval(secs => $1) AS is_left_behind
FROM ingest_processes
ORDER BY started_at, name;

-- name: ask
-- Asks every process to bring what it has accepted to ClickHouse now, to tell, and what $1 says besides: nothing,
-- decide or derive (src/ingest/processes.ts).
SELECT pg_notify('adtrail_ingest', $1);
