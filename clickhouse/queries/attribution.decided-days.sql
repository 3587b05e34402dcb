-- One row per day of the queue that is over and decided: before the day of {before} (milliseconds since 1970).
-- cluster: of every node
SELECT DISTINCT partition_id AS day
FROM system.parts
WHERE database = 'adtrail' AND table IN ('install_queue', 'install_queue_local') AND active
  AND partition_id < toString(toYYYYMMDD(fromUnixTimestamp64Milli({before:Int64}, 'UTC')))
