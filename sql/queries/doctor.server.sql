-- One row: how PostgreSQL is. `clock` is its time in milliseconds since 1970.
SELECT
  current_setting('server_version') AS version,
  current_setting('server_version_num')::integer AS version_number,
  floor(extract(epoch FROM clock_timestamp()) * 1000)::float8 AS clock,
  (SELECT count(*)::integer FROM pg_stat_activity WHERE backend_type = 'client backend') AS connections,
  current_setting('max_connections')::integer AS most_connections
