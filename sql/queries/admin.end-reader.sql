-- A user of ClickHouse is revoked.
UPDATE project_readers SET ended_at = now() WHERE name = $1 AND ended_at IS NULL
