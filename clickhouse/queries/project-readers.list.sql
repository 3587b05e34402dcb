-- One row per user of the embedded ClickHouse whose name begins so and who may still ask: since when, and whether its
-- account is suspended.
SELECT user, formatDateTime(fromUnixTimestamp64Micro(version, 'UTC'), '%FT%TZ', 'UTC') AS created_at,
  toUInt8(startsWith(sha256, 'suspended ')) AS suspended
FROM adtrail.project_readers FINAL
WHERE startsWith(user, {prefix:String}) AND is_deleted = 0
ORDER BY version
