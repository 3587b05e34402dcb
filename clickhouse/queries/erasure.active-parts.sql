-- One row per part that is in force or was after {since} (milliseconds since 1970): its folder.
SELECT path
FROM system.parts
WHERE database = 'adtrail' AND (active OR remove_time > toDateTime(fromUnixTimestamp64Milli({since:Int64}, 'UTC')))
