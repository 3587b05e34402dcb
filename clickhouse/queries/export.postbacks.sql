-- The attempts of a project that began from day {from} to day {to}, UTC. View: analytics.postbacks.
SELECT *
FROM analytics.postbacks
WHERE project_id = {project_id:UInt32}
  AND attempted_at >= toDateTime64({from:Date}, 3, 'UTC')
  AND attempted_at < toDateTime64({to:Date} + 1, 3, 'UTC')
