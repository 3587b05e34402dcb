-- Every process that has an ingest log, oldest first; one that has not told of itself for $1 seconds is left behind.
SELECT
  name, host, started_at, published_at, received_up_to, backlog,
  published_at <= now() - make_interval(secs => $1) AS is_left_behind
FROM ingest_processes
ORDER BY started_at, name
