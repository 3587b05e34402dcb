-- Tells of process $1 on host $2 that everything received up to $3 (milliseconds since 1970) is in ClickHouse, and what
-- waits ($4).
INSERT INTO ingest_processes (name, host, received_up_to, backlog)
VALUES ($1, $2, to_timestamp($3::float8 / 1000), $4)
ON CONFLICT (name) DO UPDATE
SET received_up_to = excluded.received_up_to, published_at = now(), backlog = excluded.backlog
