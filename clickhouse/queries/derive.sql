-- name: newest-parts
-- A hash of the newest part of each partition for each of the tables {tables} that has any, on this server: as long as
-- it stays the same, nothing has been stored in the table. Merges do not change it. It costs less than a look at the
-- rows of one table. With ClickHouse's clock when this was asked, in milliseconds since 1970.
SELECT
  toUnixTimestamp64Milli(now64(3)) AS until,
  arraySort(groupArray((table, toString(newest_parts)))) AS newest_parts
FROM (
  SELECT table, groupBitXor(sipHash64(partition_id, newest_block)) AS newest_parts
  FROM (
    SELECT table, partition_id, max(max_block_number) AS newest_block
    FROM system.parts
    WHERE database = 'adtrail' AND active AND table IN {tables:Array(String)}
    GROUP BY table, partition_id
  )
  GROUP BY table
);

-- name: inserts
-- One row per insert into {table} since {since:Int64} (milliseconds since 1970), with the rows that it has by now: at
-- most {limit}, oldest first. An insert carries the time at which it began and becomes visible when it ends, so recent
-- times are looked at again.
SELECT toUnixTimestamp64Milli(stored_at) AS inserted_at, count() AS rows
FROM adtrail.{table:Identifier}
WHERE stored_at >= fromUnixTimestamp64Milli({since:Int64}, 'UTC')
GROUP BY stored_at
ORDER BY stored_at
LIMIT {limit:UInt32};

-- name: insert-minutes
-- One row per minute in which rows were stored in {table} since {since:Int64} (milliseconds since 1970), with their
-- number.
SELECT toInt64(toUnixTimestamp(toStartOfMinute(stored_at))) * 1000 AS inserted_at, count() AS rows
FROM adtrail.{table:Identifier}
WHERE stored_at >= fromUnixTimestamp64Milli({since:Int64}, 'UTC')
GROUP BY inserted_at
ORDER BY inserted_at;

-- name: chunks
-- One row per part of a run in the table {table} of a derived table's batches.
SELECT DISTINCT chunk FROM adtrail.{table:Identifier} WHERE run_id = {run_id:UInt64} ORDER BY chunk;

-- name: last-chunk
-- The greatest number of a part of a run in the table {table} of a derived table's batches.
SELECT max(chunk) AS chunk FROM adtrail.{table:Identifier} WHERE run_id = {run_id:UInt64};
