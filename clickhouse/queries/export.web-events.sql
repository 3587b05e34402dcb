-- The records of a project that were received from day {from} to day {to}, UTC. View: analytics.web_events.
SELECT *
FROM analytics.web_events
WHERE project_id = {project_id:UInt32}
  AND received_at >= toDateTime64({from:Date}, 3, 'UTC')
  AND received_at < toDateTime64({to:Date} + 1, 3, 'UTC')
