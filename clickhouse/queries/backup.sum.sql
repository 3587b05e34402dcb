-- One row: how many rows a table has, and the sum of their hashes. Two tables with the same of both have the same rows,
-- in whatever order and parts.
SELECT count() AS rows, toString(sum(cityHash64(tuple(*)))) AS sum
FROM {database:Identifier}.{table:Identifier}
