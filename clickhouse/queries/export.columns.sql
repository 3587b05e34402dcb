-- The columns of view {view} of analytics in their order: whether each holds numbers or texts, and the expression that
-- makes texts of the UUIDs in it, if there are any.
WITH replaceAll(replaceAll(columns.type, 'UUID', 'String'), '\'', '\\\'') AS text_type
SELECT
  name,
  if(match(columns.type, '^(Nullable\\(|LowCardinality\\()*(U?Int|Decimal|Float)'), 'number', 'text') AS type,
  if(columns.type LIKE '%UUID%', format('CAST({0}, \'{1}\') AS {0}', name, text_type), NULL) AS text_ids
FROM system.columns
WHERE database = 'analytics' AND table = {view:String}
ORDER BY position
