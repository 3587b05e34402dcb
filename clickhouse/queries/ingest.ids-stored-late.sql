-- One row per ID received before {today} and stored at {since} (milliseconds since 1970) or later: its process held it
-- over midnight.
SELECT {id_column:Identifier}
FROM adtrail.{table:Identifier}
WHERE stored_at >= fromUnixTimestamp64Milli({since:Int64}, 'UTC') AND bucket < {today:Date}
