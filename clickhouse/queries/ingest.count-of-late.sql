-- One row: how many IDs stand among what was stored since {since} (milliseconds) after the day of its receipt, at most,
-- as ingest.late-repeats.sql reads it.
SELECT count() AS rows
FROM adtrail.{table:Identifier}
WHERE stored_at >= fromUnixTimestamp64Milli({since:Int64}, 'UTC')
  AND bucket < toDate(stored_at + INTERVAL 1 MINUTE)
  AND bucket < toDate(now('UTC'))
