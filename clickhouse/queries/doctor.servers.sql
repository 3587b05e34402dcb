-- One row per node: its version of ClickHouse, and its time in milliseconds since 1970, told by itself.
-- cluster: of every node
SELECT hostName() AS node, version() AS version, toUnixTimestamp64Milli(nowInBlock64(3)) AS clock
FROM system.one
ORDER BY node
SETTINGS skip_unavailable_shards = 1
