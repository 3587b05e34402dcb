-- One row a moment at which rows of a table were stored, from since on, with how many there are by now. An insert has one
-- such moment, but is visible only when it ends; so a moment is looked at again until it is old.
SELECT toUnixTimestamp64Milli(stored_at) AS at, count() AS rows
FROM adtrail.{table:Identifier}
WHERE stored_at >= fromUnixTimestamp64Milli({since:Int64})
GROUP BY stored_at
ORDER BY stored_at
LIMIT {limit:UInt32}
