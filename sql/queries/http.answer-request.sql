-- Keeps the answer to a request with an Idempotency-Key.
UPDATE idempotency_keys SET status = $2, answer = $3 WHERE id = $1
