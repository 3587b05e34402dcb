-- name: server
-- One row: how PostgreSQL is. `clock` is its time in milliseconds since 1970.
SELECT
  current_setting('server_version') AS version,
  current_setting('server_version_num')::integer AS version_number,
  floor(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS clock,
  (SELECT count(*)::integer FROM pg_stat_activity WHERE backend_type = 'client backend') AS connections,
  current_setting('max_connections')::integer AS most_connections;

-- name: waiting-messages
-- One row per host that a message has waited for, for more than $1 seconds: how many wait, and how long the oldest.
SELECT host, count(*)::integer AS messages, floor(extract(epoch FROM now() - min(settled_at)))::float8 AS seconds
FROM outbox
GROUP BY host
HAVING min(settled_at) < now() - make_interval(secs => $1)
ORDER BY seconds DESC
LIMIT 5;
