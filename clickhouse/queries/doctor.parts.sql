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
SETTINGS skip_unavailable_shards = 1
