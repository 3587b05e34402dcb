-- name: servers
-- One row per node: its version of ClickHouse, and its time in milliseconds since 1970, told by itself.
-- cluster: of every node
SELECT hostName() AS node, version() AS version, toUnixTimestamp64Milli(nowInBlock64(3)) AS clock
FROM system.one
ORDER BY node
SETTINGS skip_unavailable_shards = 1;

-- name: disks
-- One row per node and disk of ClickHouse that has an end, with bytes. Table: system.disks.
-- cluster: of every node
SELECT hostName() AS node, name, free_space AS free, total_space AS total
FROM system.disks
WHERE total_space > 0 AND total_space < 9e18
ORDER BY node, name
SETTINGS skip_unavailable_shards = 1;

-- name: parts
-- One row per table with a partition of more than {parts} parts, the most first: merges do not keep up with inserts.
-- Table: system.parts.
SELECT table, max(parts) AS parts
FROM (
  -- cluster: of every node
  SELECT hostName() AS node, table, partition_id, count() AS parts
  FROM system.parts
  WHERE database = 'adtrail' AND active
  GROUP BY node, table, partition_id
)
GROUP BY table
HAVING parts > {parts:UInt32}
ORDER BY parts DESC
LIMIT 5
SETTINGS skip_unavailable_shards = 1;

-- name: mutations
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
SETTINGS skip_unavailable_shards = 1;

-- name: nodes
-- One row: how many nodes {cluster} has. Table: system.clusters.
SELECT uniqExact(host_name, port) AS nodes FROM system.clusters WHERE cluster = {cluster:String};
