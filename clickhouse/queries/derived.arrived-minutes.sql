-- One row a minute in which rows of a table were stored, from since on, with how many.
SELECT toInt64(toUnixTimestamp(toStartOfMinute(stored_at))) * 1000 AS at, count() AS rows
FROM adtrail.{table:Identifier}
WHERE stored_at >= fromUnixTimestamp64Milli({since:Int64})
GROUP BY at
ORDER BY at
