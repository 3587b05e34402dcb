-- One row per partner with an ID in $1.
SELECT id, name FROM partners WHERE id = ANY ($1)
