-- One row per disk of ClickHouse that has an end, with bytes. Table: system.disks.
SELECT name, path, free_space AS free, total_space AS total
FROM system.disks
WHERE total_space > 0 AND total_space < 9e18
ORDER BY name
