-- One row: when the oldest request to forget somebody who is not hidden yet was made; null for none.
SELECT min(requested_at) AS requested_at FROM erasure_requests WHERE hidden_at IS NULL
