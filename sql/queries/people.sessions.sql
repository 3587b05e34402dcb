-- The sessions of a person that have not ended, the latest used first.
SELECT id, created_at, last_seen_at, expires_at, address, user_agent
FROM sessions WHERE user_id = $1 AND expires_at > $2
ORDER BY last_seen_at DESC, id DESC
LIMIT 1000
