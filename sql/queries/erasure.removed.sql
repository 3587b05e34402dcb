-- Nothing of the person of request $1 is on disk any more.
UPDATE erasure_requests SET removed_at = $2, needles = NULL, attempts = 0, retry_at = NULL, failure = NULL WHERE id = $1
