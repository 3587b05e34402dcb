-- Lets a request be sent again as if for the first time: it failed and changed nothing.
DELETE FROM idempotency_keys WHERE id = $1
