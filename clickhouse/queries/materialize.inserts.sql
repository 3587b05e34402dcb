-- One row per table and insert since {<table>_since:Int64} (milliseconds since 1970), with the rows that it has by
-- now: at most {limit} of each table, oldest first. An insert carries the time at which it began and becomes visible
-- when it ends, so recent times are looked at again. One more row, with an empty table, tells ClickHouse's clock when
-- this was asked.
SELECT '' AS table, toUnixTimestamp64Milli(now64(3)) AS inserted_at, 0 AS rows
UNION ALL
(
  SELECT 'clicks' AS table, toUnixTimestamp64Milli(stored_at) AS inserted_at, count() AS rows
  FROM adtrail.clicks
  WHERE stored_at >= fromUnixTimestamp64Milli({clicks_since:Int64}, 'UTC')
  GROUP BY stored_at
  ORDER BY stored_at
  LIMIT {limit:UInt32}
)
UNION ALL
(
  SELECT 'impressions' AS table, toUnixTimestamp64Milli(stored_at) AS inserted_at, count() AS rows
  FROM adtrail.impressions
  WHERE stored_at >= fromUnixTimestamp64Milli({impressions_since:Int64}, 'UTC')
  GROUP BY stored_at
  ORDER BY stored_at
  LIMIT {limit:UInt32}
)
UNION ALL
(
  SELECT 'ctv_impressions' AS table, toUnixTimestamp64Milli(stored_at) AS inserted_at, count() AS rows
  FROM adtrail.ctv_impressions
  WHERE stored_at >= fromUnixTimestamp64Milli({ctv_impressions_since:Int64}, 'UTC')
  GROUP BY stored_at
  ORDER BY stored_at
  LIMIT {limit:UInt32}
)
UNION ALL
(
  SELECT 'app_events' AS table, toUnixTimestamp64Milli(stored_at) AS inserted_at, count() AS rows
  FROM adtrail.app_events
  WHERE stored_at >= fromUnixTimestamp64Milli({app_events_since:Int64}, 'UTC')
  GROUP BY stored_at
  ORDER BY stored_at
  LIMIT {limit:UInt32}
)
UNION ALL
(
  SELECT 'web_events' AS table, toUnixTimestamp64Milli(stored_at) AS inserted_at, count() AS rows
  FROM adtrail.web_events
  WHERE stored_at >= fromUnixTimestamp64Milli({web_events_since:Int64}, 'UTC')
  GROUP BY stored_at
  ORDER BY stored_at
  LIMIT {limit:UInt32}
)
UNION ALL
(
  SELECT 'installs' AS table, toUnixTimestamp64Milli(stored_at) AS inserted_at, count() AS rows
  FROM adtrail.installs
  WHERE stored_at >= fromUnixTimestamp64Milli({installs_since:Int64}, 'UTC')
  GROUP BY stored_at
  ORDER BY stored_at
  LIMIT {limit:UInt32}
)
UNION ALL
(
  SELECT 'install_queue' AS table, toUnixTimestamp64Milli(stored_at) AS inserted_at, count() AS rows
  FROM adtrail.install_queue
  WHERE stored_at >= fromUnixTimestamp64Milli({install_queue_since:Int64}, 'UTC')
  GROUP BY stored_at
  ORDER BY stored_at
  LIMIT {limit:UInt32}
)
