-- One row per node and disk of ClickHouse that has an end, with bytes. Table: system.disks.
-- cluster: of every node
SELECT hostName() AS node, name, free_space AS free, total_space AS total
FROM system.disks
WHERE total_space > 0 AND total_space < 9e18
ORDER BY node, name
SETTINGS skip_unavailable_shards = 1
