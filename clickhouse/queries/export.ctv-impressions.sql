-- The records of a project that were first received from day {from} to day {to}, UTC. View: analytics.ctv_impressions.
SELECT *
FROM analytics.ctv_impressions
WHERE project_id = {project_id:UInt32} AND bucket BETWEEN {from:Date} AND {to:Date}
