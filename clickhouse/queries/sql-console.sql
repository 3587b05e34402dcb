-- name: columns
-- One row per column of the views of analytics, in their order.
SELECT
  columns.table AS table, tables.comment AS table_comment, columns.name AS name, columns.type AS type,
  columns.comment AS comment
FROM system.columns AS columns
INNER JOIN system.tables AS tables ON columns.database = tables.database AND columns.table = tables.name
WHERE columns.database = 'analytics' AND tables.database = 'analytics'
ORDER BY table, columns.position;

-- name: functions
-- One row per function of the engine that has a name of its own: whether it aggregates.
SELECT name, toBool(is_aggregate) AS is_aggregate
FROM system.functions
WHERE match(name, '^[A-Za-z][A-Za-z0-9_]*$') AND alias_to = ''
ORDER BY name;
