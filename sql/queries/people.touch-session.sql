-- Moves the end of a session that is used. $2 is now, $3 the new end, $4 the days after which it ends, used or not.
UPDATE sessions SET last_seen_at = $2, expires_at = least($3::timestamptz, created_at + $4 * INTERVAL '1 day')
WHERE id = $1
