-- name: postbacks
-- The attempts of a project that began from day {from} to day {to}, UTC. View: analytics.postbacks.
SELECT *
FROM analytics.postbacks
WHERE project_id = {project_id:UInt32}
  AND attempted_at >= toDateTime64({from:Date}, 3, 'UTC')
  AND attempted_at < toDateTime64({to:Date} + 1, 3, 'UTC');

-- name: installs
-- The records of a project that were received from day {from} to day {to}, UTC. View: analytics.installs.
SELECT *
FROM analytics.installs
WHERE project_id = {project_id:UInt32}
  AND received_at >= toDateTime64({from:Date}, 3, 'UTC')
  AND received_at < toDateTime64({to:Date} + 1, 3, 'UTC');

-- name: impressions
-- The records of a project that were first received from day {from} to day {to}, UTC. View: analytics.impressions.
SELECT *
FROM analytics.impressions
WHERE project_id = {project_id:UInt32} AND bucket BETWEEN {from:Date} AND {to:Date};

-- name: clicks
-- The records of a project that were first received from day {from} to day {to}, UTC. View: analytics.clicks.
SELECT *
FROM analytics.clicks
WHERE project_id = {project_id:UInt32} AND bucket BETWEEN {from:Date} AND {to:Date};

-- name: spend
-- The records of a project that were received from day {from} to day {to}, UTC. View: analytics.ad_spend.
SELECT *
FROM analytics.ad_spend
WHERE project_id = {project_id:UInt32}
  AND received_at >= toDateTime64({from:Date}, 3, 'UTC')
  AND received_at < toDateTime64({to:Date} + 1, 3, 'UTC');

-- name: columns
-- The columns of view {view} of analytics in their order: whether each holds numbers or texts, and the expression that
-- makes texts of the UUIDs in it, if there are any.
WITH replaceAll(replaceAll(columns.type, 'UUID', 'String'), '\'', '\\\'') AS text_type
SELECT
  name,
  if(match(columns.type, '^(Nullable\\(|LowCardinality\\()*(U?Int|Decimal|Float)'), 'number', 'text') AS type,
  if(columns.type LIKE '%UUID%', format('CAST({0}, \'{1}\') AS {0}', name, text_type), NULL) AS text_ids
FROM system.columns
WHERE database = 'analytics' AND table = {view:String}
ORDER BY position;

-- name: app-events
-- The records of a project that were received from day {from} to day {to}, UTC. View: analytics.app_events.
SELECT *
FROM analytics.app_events
WHERE project_id = {project_id:UInt32}
  AND received_at >= toDateTime64({from:Date}, 3, 'UTC')
  AND received_at < toDateTime64({to:Date} + 1, 3, 'UTC');

-- name: ctv-impressions
-- The records of a project that were first received from day {from} to day {to}, UTC. View: analytics.ctv_impressions.
SELECT *
FROM analytics.ctv_impressions
WHERE project_id = {project_id:UInt32} AND bucket BETWEEN {from:Date} AND {to:Date};

-- name: web-events
-- The records of a project that were received from day {from} to day {to}, UTC. View: analytics.web_events.
SELECT *
FROM analytics.web_events
WHERE project_id = {project_id:UInt32}
  AND received_at >= toDateTime64({from:Date}, 3, 'UTC')
  AND received_at < toDateTime64({to:Date} + 1, 3, 'UTC');
