-- What is known of an Idempotency-Key, by its ID.
SELECT request, status, answer FROM idempotency_keys WHERE id = $1
