-- How many parts are still on disk that changes replaced up to {until} (milliseconds since 1970).
SELECT count() AS parts
FROM system.parts
WHERE database = 'adtrail' AND NOT active AND remove_time > toDateTime(0)
  AND remove_time <= toDateTime(fromUnixTimestamp64Milli({until:Int64}, 'UTC'))
