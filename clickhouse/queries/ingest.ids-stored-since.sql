-- One row per row stored at {since} (milliseconds since 1970) or later: its ID. Answered by the projection by_arrival.
SELECT {id_column:Identifier}
FROM adtrail.{table:Identifier}
WHERE stored_at >= fromUnixTimestamp64Milli({since:Int64}, 'UTC')
