-- A new person; no row where somebody has the address already.
INSERT INTO users (email, name, password) VALUES ($1, $2, $3)
ON CONFLICT (email) DO NOTHING
RETURNING id
