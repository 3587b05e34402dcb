-- No endpoint and no view shows anything of the person of request $1 any more. $3 is what to look for on the disk.
UPDATE erasure_requests SET hidden_at = $2, value = NULL, needles = $3, attempts = 0, retry_at = NULL, failure = NULL
WHERE id = $1 AND hidden_at IS NULL
