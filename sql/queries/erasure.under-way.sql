-- One row per request that is not finished, nor set aside after a failure as of $1, the earliest first.
SELECT id, project_id, kind, value, requested_at, hidden_at, needles, attempts
FROM erasure_requests
WHERE removed_at IS NULL AND (retry_at IS NULL OR retry_at <= $1)
ORDER BY id
LIMIT 100
