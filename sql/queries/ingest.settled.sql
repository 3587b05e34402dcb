-- Up to which receipt time (milliseconds since 1970) everything accepted is in ClickHouse: by every process that has
-- told of itself within $1 seconds, and by every process. null where there is none.
SELECT
  floor(extract(epoch FROM min(received_up_to) FILTER (WHERE published_at > now() - make_interval(secs => $1))) * 1000)
    ::float8 AS by_living,
  floor(extract(epoch FROM min(received_up_to)) * 1000)::float8 AS by_all
FROM ingest_processes
