-- name: stored-since
-- How many rows {table} has that were stored after {since}, in milliseconds since 1970: of all projects, or of some.
SELECT count() AS rows
FROM adtrail.{table:Identifier}
WHERE stored_at > fromUnixTimestamp64Milli({since:Int64}, 'UTC')
  AND ({of_all:Bool} OR project_id IN {projects:Array(UInt32)});

-- name: undecided
-- One row: how many installs of the last three days are not decided, and when the first of them was received; of all
-- projects, or of some.
SELECT count() AS installs, if(count() = 0, NULL, min(first_received)) AS oldest
FROM (
  SELECT project_id, install_id, min(received_at) AS first_received
  FROM adtrail.install_queue
  WHERE stored_at > now() - INTERVAL 3 DAY AND is_deleted = 0
    AND ({of_all:Bool} OR project_id IN {projects:Array(UInt32)})
  GROUP BY project_id, install_id
)
WHERE (project_id, install_id) NOT IN (
  SELECT project_id, install_id
  FROM adtrail.installs
  WHERE stored_at > now() - INTERVAL 3 DAY
);
