-- Writes a tombstone per record received shortly after the midnight that began {day}, while a process that saw the day
-- before still stored the same ID: the row of the earlier day is the first, the later one is hidden.
INSERT INTO adtrail.{table:Identifier}
SELECT * REPLACE (18446744073709551615 AS version, 1 AS is_deleted, now64(3, 'UTC') AS stored_at)
FROM adtrail.{table:Identifier} FINAL
WHERE bucket = {day:Date} AND received_at < toDateTime64({day:Date}, 3, 'UTC') + INTERVAL 10 MINUTE
  AND {id_column:Identifier} GLOBAL IN (
    SELECT {id_column:Identifier}
    FROM adtrail.{table:Identifier}
    WHERE bucket = {day:Date} - 1 AND received_at >= toDateTime64({day:Date}, 3, 'UTC') - INTERVAL 10 MINUTE
  )
