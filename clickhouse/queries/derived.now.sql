-- The clock of ClickHouse, by which stored_at runs, in milliseconds.
SELECT toUnixTimestamp64Milli(now64(3)) AS now
