-- One row per ID of {ids} that the table holds, with the first and the last UTC day of its receipt. Answered by the
-- projection by_id alone: a column that the projection lacks would make it scan the table.
SELECT {id_column:Identifier} AS id, toString(min(bucket)) AS first, toString(max(bucket)) AS last
FROM adtrail.{table:Identifier}
WHERE {id_column:Identifier} IN {ids:Array(UUID)}
GROUP BY id
SETTINGS ignore_data_skipping_indices = 'by_touch_id'
