-- How many rows {table} has that were stored after {since}, in milliseconds since 1970: of all projects, or of some.
SELECT count() AS rows
FROM adtrail.{table:Identifier}
WHERE stored_at > fromUnixTimestamp64Milli({since:Int64}, 'UTC')
  AND ({of_all:Bool} OR project_id IN {projects:Array(UInt32)})
