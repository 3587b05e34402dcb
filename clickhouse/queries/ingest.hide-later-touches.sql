-- Writes a tombstone per row of the touches {ids} but those of the first day of receipt of each: a touch counts once,
-- as it was received first.
INSERT INTO adtrail.{table:Identifier}
WITH
  first_received AS (
    SELECT {id_column:Identifier} AS id, min(bucket) AS bucket
    FROM adtrail.{table:Identifier}
    WHERE {id_column:Identifier} IN {ids:Array(UUID)}
    GROUP BY id
    -- The projection by_id answers.
    SETTINGS ignore_data_skipping_indices = 'by_touch_id'
  )
SELECT * REPLACE (18446744073709551615 AS version, 1 AS is_deleted, now64(3, 'UTC') AS stored_at)
FROM adtrail.{table:Identifier} FINAL
WHERE bucket > (SELECT min(bucket) FROM first_received)
  AND {id_column:Identifier} IN {ids:Array(UUID)}
  AND ({id_column:Identifier}, bucket) NOT IN (SELECT id, bucket FROM first_received)
