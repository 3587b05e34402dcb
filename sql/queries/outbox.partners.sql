-- One row per partner of $1, IDs.
SELECT id, name FROM partners WHERE id = ANY($1::integer[])
