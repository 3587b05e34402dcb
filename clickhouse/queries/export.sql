-- name: touches
-- The records of a project in view {view} of analytics that were received from {from} until before {to}. An imported
-- one has the time when it happened: it is one of the beginning of the day on which it came.
SELECT *
FROM analytics.{view:Identifier}
WHERE project_id = {project_id:UInt32}
  AND bucket BETWEEN toDate(toDateTime64({from:String}, 3, 'UTC')) AND toDate(toDateTime64({to:String}, 3, 'UTC'))
  AND if(toDate(received_at) = bucket, received_at, toDateTime64(bucket, 3, 'UTC'))
    >= toDateTime64({from:String}, 3, 'UTC')
  AND if(toDate(received_at) = bucket, received_at, toDateTime64(bucket, 3, 'UTC'))
    < toDateTime64({to:String}, 3, 'UTC');

-- name: received
-- The records of a project in view {view} of analytics that were received from {from} until before {to}.
SELECT *
FROM analytics.{view:Identifier}
WHERE project_id = {project_id:UInt32}
  AND received_at >= toDateTime64({from:String}, 3, 'UTC')
  AND received_at < toDateTime64({to:String}, 3, 'UTC');

-- name: attempts
-- The attempts of a project in view {view} of analytics that began from {from} until before {to}.
SELECT *
FROM analytics.{view:Identifier}
WHERE project_id = {project_id:UInt32}
  AND attempted_at >= toDateTime64({from:String}, 3, 'UTC')
  AND attempted_at < toDateTime64({to:String}, 3, 'UTC');

-- name: columns
-- The columns of view {view} of analytics in their order: the expression that makes texts of the UUIDs in it, if there
-- are any, and the one that makes a cell of CSV of it: empty for NULL, in quotes where it has to be.
WITH
  replaceAll(replaceAll(columns.type, 'UUID', 'String'), '\'', '\\\'') AS text_type,
  multiIf(
    columns.type LIKE 'Array%', 'toJSONString(?)',
    columns.type LIKE '%DateTime64%', 'concat(replaceOne(toString(?), \' \', \'T\'), \'Z\')',
    'toString(?)'
  ) AS written,
  if(columns.type LIKE 'Nullable%', concat('ifNull(', written, ', \'\')'), written) AS filled,
  concat(
    'if(multiSearchAny(', filled, ', [\',\', \'"\', \'\\n\', \'\\r\']), ',
    'concat(\'"\', replaceAll(', filled, ', \'"\', \'""\'), \'"\'), ', filled, ')'
  ) AS quoted,
  if(match(columns.type, '^(Array|(LowCardinality\\()?String)'), quoted, filled) AS cell
SELECT
  name,
  if(columns.type LIKE '%UUID%', format('CAST({0}, \'{1}\') AS {0}', name, text_type), NULL) AS text_ids,
  replaceAll(cell, '?', name) AS csv
FROM system.columns
WHERE database = 'analytics' AND table = {view:String}
ORDER BY position;
