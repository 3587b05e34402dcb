-- One row per project of $1, IDs.
SELECT id, name FROM projects WHERE id = ANY($1::integer[])
