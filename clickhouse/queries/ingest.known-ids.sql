-- One row per ID of {ids} that the table already holds, on whatever day it was received. Answered by the projection
-- by_id alone: a column that the projection lacks would make it scan the table.
SELECT DISTINCT {id_column:Identifier} AS id
FROM adtrail.{table:Identifier}
WHERE {id_column:Identifier} IN {ids:Array(UUID)}
