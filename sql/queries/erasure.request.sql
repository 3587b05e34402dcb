-- Asks to erase the person whom project $1 knows by identifier $3, encrypted, of kind $2.
INSERT INTO erasure_requests (project_id, kind, value) SELECT id, $2, $3 FROM projects WHERE id = $1
RETURNING id, kind, requested_at, hidden_at, removed_at, failure
