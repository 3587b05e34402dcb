-- name: list
-- One row per user of the embedded ClickHouse whose name begins so and who may still ask: since when, and whether its
-- account is suspended.
SELECT user, formatDateTime(fromUnixTimestamp64Micro(version, 'UTC'), '%FT%TZ', 'UTC') AS created_at,
  toUInt8(startsWith(sha256, 'suspended ')) AS suspended
FROM adtrail.project_readers FINAL
WHERE startsWith(user, {prefix:String}) AND is_deleted = 0
ORDER BY version;

-- name: find
-- One row per user of that name that may still ask, of the embedded ClickHouse: its project.
SELECT project_id
FROM adtrail.project_readers FINAL
WHERE user = {user:String} AND is_deleted = 0;

-- name: find-on-server
-- One row per user of that name, of a ClickHouse server.
SELECT name
FROM system.users
WHERE name = {user:String};

-- name: list-on-server
-- One row per user of a ClickHouse server whose name begins so, and whether it may come from no host since its account
-- is suspended; it does not tell since when.
SELECT name AS user, NULL AS created_at,
  toUInt8(empty(host_ip) AND empty(host_names) AND empty(host_names_regexp) AND empty(host_names_like)) AS suspended
FROM system.users
WHERE startsWith(name, {prefix:String})
ORDER BY name;

-- name: suspend
-- A mark in front of the hash of a password is what no password has; without it the user has its password again. The
-- version, which says since when the user is there, hardly moves.
INSERT INTO adtrail.project_readers (user, project_id, sha256, version, is_deleted)
SELECT user, project_id, concat(if({suspended:UInt8} = 1, 'suspended ', ''), replaceOne(sha256, 'suspended ', '')),
  version + 1, 0
FROM adtrail.project_readers FINAL
WHERE user = {user:String} AND is_deleted = 0;

-- name: is-embedded
-- One row: whether this is adtrail's embedded ClickHouse, which says so by a macro, and not a server.
SELECT count() > 0 AS embedded
FROM system.macros
WHERE macro = 'adtrail_embedded';
