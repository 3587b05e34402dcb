-- One row per request of project $1 to forget somebody, the latest first; only request $2 where it is not null.
SELECT id, kind, requested_at, hidden_at, removed_at, failure
FROM erasure_requests
WHERE project_id = $1 AND ($2::integer IS NULL OR id = $2)
ORDER BY id DESC
