-- One row per ID of {ids} that the table holds, with the versions of its first and its last receipt (the greater one is
-- the earlier); 0 and 0 where all its rows are hidden. Answered by the projection by_id alone.
SELECT
  {id_column:Identifier} AS id,
  maxIf(version, version < 18446744073709551615) AS first,
  minIf(version, version < 18446744073709551615) AS last
FROM adtrail.{table:Identifier}
WHERE {id_column:Identifier} IN {ids:Array(UUID)}
GROUP BY id
