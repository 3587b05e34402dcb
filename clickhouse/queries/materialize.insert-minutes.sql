-- One row per minute in which rows were stored in {table} since {since:Int64} (milliseconds since 1970), with their
-- number.
SELECT toInt64(toUnixTimestamp(toStartOfMinute(stored_at))) * 1000 AS inserted_at, count() AS rows
FROM adtrail.{table:Identifier}
WHERE stored_at >= fromUnixTimestamp64Milli({since:Int64}, 'UTC')
GROUP BY inserted_at
ORDER BY inserted_at
