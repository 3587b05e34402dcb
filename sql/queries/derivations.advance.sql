-- Derivation $1 has taken in everything stored before $2.
INSERT INTO derivations (name, derived_until) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET derived_until = EXCLUDED.derived_until
