-- One row per table of {tables} with parts that were given up until {until} (milliseconds since 1970) and are still on
-- the disk.
-- cluster: of every node
SELECT DISTINCT table
FROM system.parts
WHERE database = 'adtrail' AND table IN {tables:Array(String)} AND NOT active AND rows > 0
  AND remove_time > toDateTime(0) AND remove_time <= toDateTime(fromUnixTimestamp64Milli({until:Int64}, 'UTC'))
