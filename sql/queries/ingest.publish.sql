-- Tells of process $1 on host $2 that everything received up to $3 (milliseconds since 1970) is in ClickHouse, and what
-- waits ($4). One row: up to which receipt time everything that the other processes accepted is in ClickHouse, of those
-- that have told of themselves within $5 seconds, and of all; null where there is none.
WITH published AS (
  INSERT INTO ingest_processes (name, host, received_up_to, backlog)
  VALUES ($1, $2, to_timestamp($3::float8 / 1000), $4)
  ON CONFLICT (name) DO UPDATE
  SET received_up_to = excluded.received_up_to, published_at = now(), backlog = excluded.backlog
)
SELECT
  floor(extract(epoch FROM min(received_up_to) FILTER (WHERE published_at > now() - make_interval(secs => $5))) * 1000)
    ::float8 AS by_living,
  floor(extract(epoch FROM min(received_up_to)) * 1000)::float8 AS by_all
FROM ingest_processes
WHERE name <> $1
