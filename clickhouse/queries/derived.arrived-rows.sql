-- How many rows of a table were stored from since on.
SELECT count() AS rows FROM adtrail.{table:Identifier} WHERE stored_at >= fromUnixTimestamp64Milli({since:Int64})
