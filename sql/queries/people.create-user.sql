-- A new person; no row where somebody has the address already.
INSERT INTO users (email, name, password, proven_at) VALUES ($1, $2, $3, $4)
ON CONFLICT (email) DO NOTHING
RETURNING id
