-- name: request
-- Asks to erase the person whom project $1 knows by identifier $3, encrypted, of kind $2.
INSERT INTO erasure_requests (project_id, kind, value) SELECT id, $2, $3 FROM projects WHERE id = $1
RETURNING id, kind, requested_at, hidden_at, removed_at, failure, NULL::jsonb AS found;

-- name: receipts
-- One row per request of project $1 to forget somebody, the latest first; only request $2 where it is not null.
SELECT id, kind, requested_at, hidden_at, removed_at, failure, CASE WHEN hidden_at IS NOT NULL THEN found END AS found
FROM erasure_requests
WHERE project_id = $1 AND ($2::integer IS NULL OR id = $2)
ORDER BY id DESC;

-- name: under-way
-- One row per request that is not finished, nor set aside after a failure as of $1, the earliest first.
SELECT id, project_id, kind, value, requested_at, hidden_at, needles, attempts
FROM erasure_requests
WHERE removed_at IS NULL AND (retry_at IS NULL OR retry_at <= $1)
ORDER BY id
LIMIT 100;

-- name: found
-- Notes how much there is of the person of request $1, unless it is counted already.
UPDATE erasure_requests SET found = $2 WHERE id = $1 AND found IS NULL;

-- name: note-export
-- Notes in the audit log that a copy was taken of a person of project $1, known by an identifier of kind $2: $3 is how
-- much there was.
SELECT note_rows('person_exports', ARRAY[NULL::jsonb],
  ARRAY[jsonb_build_object('project_id', $1::integer, 'kind', $2::text) || $3::jsonb]);

-- name: hidden
-- No endpoint and no view shows anything of the person of request $1 any more. $3 is what to look for on the disk.
UPDATE erasure_requests SET hidden_at = $2, value = NULL, needles = $3, attempts = 0, retry_at = NULL, failure = NULL
WHERE id = $1 AND hidden_at IS NULL;

-- name: removed
-- Nothing of the person of request $1 is on disk any more.
UPDATE erasure_requests SET removed_at = $2, needles = NULL, attempts = 0, retry_at = NULL, failure = NULL
WHERE id = $1;

-- name: set-aside
-- Sets request $1 aside until $2, because of $3; the others go on.
UPDATE erasure_requests SET attempts = attempts + 1, retry_at = $2, failure = $3 WHERE id = $1;

-- name: oldest-visible
-- One row: when the oldest request to forget somebody who is not hidden yet was made; null for none.
SELECT min(requested_at) AS requested_at FROM erasure_requests WHERE hidden_at IS NULL;
