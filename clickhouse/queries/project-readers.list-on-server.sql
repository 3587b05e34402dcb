-- One row per user of a ClickHouse server whose name begins so, and whether it may come from no host since its account
-- is suspended; it does not tell since when.
SELECT name AS user, NULL AS created_at,
  toUInt8(empty(host_ip) AND empty(host_names) AND empty(host_names_regexp) AND empty(host_names_like)) AS suspended
FROM system.users
WHERE startsWith(name, {prefix:String})
ORDER BY name
