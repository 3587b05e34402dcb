-- One row per process that has an ingest log, by the name of its folder. Everything that it received up to
-- `received_up_to` is in ClickHouse, as of `published_at`. The row goes with the log: after a clean end, or once
-- another process has drained what was left.
CREATE TABLE ingest_processes (
  name uuid PRIMARY KEY,
  host text NOT NULL,
  started_at timestamptz(3) NOT NULL DEFAULT now(),
  published_at timestamptz(3) NOT NULL DEFAULT now(),
  received_up_to timestamptz(3) NOT NULL,
  -- What waits, by table: [{"table", "rows", "bytes", "seconds"}].
  backlog jsonb NOT NULL
);
COMMENT ON COLUMN ingest_processes.name IS '[none]';
COMMENT ON COLUMN ingest_processes.host IS '[none]';
COMMENT ON COLUMN ingest_processes.started_at IS '[none]';
COMMENT ON COLUMN ingest_processes.published_at IS '[none]';
COMMENT ON COLUMN ingest_processes.received_up_to IS '[none]';
COMMENT ON COLUMN ingest_processes.backlog IS '[none]';
