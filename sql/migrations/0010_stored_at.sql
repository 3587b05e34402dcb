-- When a process last stored records: another one that has nothing to do looks at ClickHouse when this changes.
ALTER TABLE ingest_processes ADD COLUMN stored_at timestamptz(3) NOT NULL DEFAULT to_timestamp(0);

COMMENT ON COLUMN ingest_processes.stored_at IS '[none]';
