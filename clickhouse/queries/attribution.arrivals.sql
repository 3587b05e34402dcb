-- One row an insert into {table} from {from} (milliseconds since 1970) on: when it was stored and how many rows it has.
SELECT toUnixTimestamp64Milli(stored_at) AS stored, count() AS rows
FROM adtrail.{table:Identifier}
WHERE stored_at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')
GROUP BY stored_at
