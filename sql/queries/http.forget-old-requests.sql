-- Forgets the keys that were sent before $1.
DELETE FROM idempotency_keys WHERE begun_at < $1
