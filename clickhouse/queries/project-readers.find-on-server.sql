-- One row per user of that name, of a ClickHouse server.
SELECT name
FROM system.users
WHERE name = {user:String}
