-- A session of a person who has signed in.
INSERT INTO sessions (sha256, user_id, address, user_agent, created_at, last_seen_at, expires_at)
VALUES ($1, $2, $3, $4, $5, $5, $6)
