-- Nothing of the persons of requests $1 is on disk any more.
UPDATE erasure_requests SET removed_at = $2 WHERE id = ANY ($1)
