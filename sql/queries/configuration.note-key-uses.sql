-- Notes that the keys whose SHA-256 are $1 were used at $2. What was noted since $3 stays.
UPDATE project_keys SET last_used_at = $2
WHERE sha256 = ANY ($1) AND (last_used_at IS NULL OR last_used_at < $3)
