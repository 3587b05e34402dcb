-- One row per insert into {table} since {since:Int64} (milliseconds since 1970), with the rows that it has by now: at
-- most {limit}, oldest first. An insert carries the time at which it began and becomes visible when it ends, so recent
-- times are looked at again.
SELECT toUnixTimestamp64Milli(stored_at) AS inserted_at, count() AS rows
FROM adtrail.{table:Identifier}
WHERE stored_at >= fromUnixTimestamp64Milli({since:Int64}, 'UTC')
GROUP BY stored_at
ORDER BY stored_at
LIMIT {limit:UInt32}
