-- name: begin-request
-- Takes up a request with an Idempotency-Key: $1 is its ID, $2 the hash of the request, $3 the time. No row where the
-- key is in use.
INSERT INTO idempotency_keys (id, request, begun_at)
VALUES ($1, $2, $3)
ON CONFLICT (id) DO NOTHING
RETURNING id;

-- name: begun-request
-- What is known of an Idempotency-Key, by its ID.
SELECT request, status, answer FROM idempotency_keys WHERE id = $1;

-- name: answer-request
-- Keeps the answer to a request with an Idempotency-Key.
UPDATE idempotency_keys SET status = $2, answer = $3 WHERE id = $1;

-- name: forget-request
-- Lets a request be sent again as if for the first time: it failed and changed nothing.
DELETE FROM idempotency_keys WHERE id = $1;

-- name: forget-old-requests
-- Forgets the keys that were sent before $1.
DELETE FROM idempotency_keys WHERE begun_at < $1;
