-- Moves the end of a session that is used. $2 is now, $3 the new end.
UPDATE sessions SET last_seen_at = $2, expires_at = $3 WHERE id = $1
