-- One row per time zone that ClickHouse knows.
SELECT time_zone AS name FROM system.time_zones
