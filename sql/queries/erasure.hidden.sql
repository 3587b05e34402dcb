-- No endpoint and no view shows anything of the person of request $1 any more.
UPDATE erasure_requests SET hidden_at = $2, value = NULL WHERE id = $1 AND hidden_at IS NULL
