-- name: broken-parts
-- One row per table of the service that ClickHouse has found broken parts of: it has put them aside, and their rows are
-- missing. What an operator has detached by hand has no reason, and is not listed.
-- cluster: of every node
SELECT
  concat(database, '.', table) AS table,
  count() AS parts,
  arrayStringConcat(groupArraySorted(5)(name), ', ') AS names
FROM system.detached_parts
WHERE database = 'adtrail' AND (startsWith(reason, 'broken') OR reason = 'unexpected')
GROUP BY database, table
ORDER BY table
SETTINGS skip_unavailable_shards = 1;
