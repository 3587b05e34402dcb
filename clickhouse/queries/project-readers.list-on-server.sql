-- One row per user of a ClickHouse server whose name begins so; it does not tell since when.
SELECT name AS user, NULL AS created_at
FROM system.users
WHERE startsWith(name, {prefix:String})
ORDER BY name
