-- One row per request that is not finished, the earliest first.
SELECT id, project_id, kind, value, hidden_at FROM erasure_requests WHERE removed_at IS NULL ORDER BY id LIMIT 100
