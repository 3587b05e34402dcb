-- One row: the version of ClickHouse, and its time in milliseconds since 1970.
SELECT version() AS version, toUnixTimestamp64Milli(now64(3)) AS clock
