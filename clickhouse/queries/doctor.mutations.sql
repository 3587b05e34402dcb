-- One row per table with a change of stored rows that has not ended within {seconds}, or fails. Table:
-- system.mutations; each replica has them all.
SELECT table, max(mutations) AS mutations, max(reason) AS reason
FROM (
  -- cluster: of every node
  SELECT hostName() AS node, table, count() AS mutations, max(latest_fail_reason) AS reason
  FROM system.mutations
  WHERE database = 'adtrail' AND NOT is_done AND create_time < now() - {seconds:UInt32}
  GROUP BY node, table
)
GROUP BY table
ORDER BY table
SETTINGS skip_unavailable_shards = 1
