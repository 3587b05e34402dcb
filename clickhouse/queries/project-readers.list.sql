-- One row per user of the embedded ClickHouse whose name begins so and who may still ask.
SELECT user, formatDateTime(fromUnixTimestamp64Micro(version, 'UTC'), '%FT%TZ', 'UTC') AS created_at
FROM adtrail.project_readers FINAL
WHERE startsWith(user, {prefix:String}) AND is_deleted = 0
ORDER BY version
