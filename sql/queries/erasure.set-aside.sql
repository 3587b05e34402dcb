-- Sets request $1 aside until $2, because of $3; the others go on.
UPDATE erasure_requests SET attempts = attempts + 1, retry_at = $2, failure = $3 WHERE id = $1
