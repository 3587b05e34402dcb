-- The records of a project that were first received from day {from} to day {to}, UTC. View: analytics.clicks.
SELECT *
FROM analytics.clicks
WHERE project_id = {project_id:UInt32} AND bucket BETWEEN {from:Date} AND {to:Date}
