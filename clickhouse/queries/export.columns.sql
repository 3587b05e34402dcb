-- The columns of view {view} of analytics in their order, and whether each holds numbers.
SELECT name, match(type, '^(Nullable\\(|LowCardinality\\()*(U?Int|Decimal|Float)') AS is_number
FROM system.columns
WHERE database = 'analytics' AND table = {view:String}
ORDER BY position
