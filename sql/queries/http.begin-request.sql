-- Takes up a request with an Idempotency-Key: $1 is its ID, $2 the hash of the request, $3 the time. No row where the
-- key is in use.
INSERT INTO idempotency_keys (id, request, begun_at)
VALUES ($1, $2, $3)
ON CONFLICT (id) DO NOTHING
RETURNING id
