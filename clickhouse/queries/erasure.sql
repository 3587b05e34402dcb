-- name: find-installs
-- Notes each install of {project} that any event connects with the person whose identifier of {kind} (gaid, idfa or
-- user) is {value}, with the {salt} of {request}. Run again it adds what is new.
INSERT INTO adtrail.erasure_subjects (request_id, project_id, kind, salt, value, pseudonym)
SELECT {request:UInt32}, {project:UInt32}, 'install', {salt:UUID}, install_id,
  concat('forgotten-', toString(generateUUIDv4(install_id)))
FROM (
  SELECT DISTINCT install_id
  FROM adtrail.app_events
  WHERE project_id = {project:UInt32}
    AND multiIf({kind:String} = 'gaid', ifNull(toString(gaid), ''), {kind:String} = 'idfa', ifNull(toString(idfa), ''),
    user_id) = {value:String}
)
WHERE install_id NOT IN (
  SELECT value FROM adtrail.erasure_subjects WHERE request_id = {request:UInt32} AND kind = 'install');

-- name: devices
-- One row per advertising ID of the devices with the installs of {request}.
SELECT DISTINCT arrayJoin(arrayFilter(id -> id != '',
  [ifNull(toString(gaid), ''), ifNull(toString(idfa), '')])) AS device
FROM adtrail.app_events
WHERE project_id = {project:UInt32} AND install_id IN (
  SELECT value FROM adtrail.erasure_subjects WHERE request_id = {request:UInt32} AND kind = 'install');

-- name: find-touches
-- Notes each touch of the {devices} of {request} that was received up to {until} (milliseconds), and each that an
-- install of theirs is credited to, with its {salt}. Run again it adds what is new.
INSERT INTO adtrail.erasure_subjects (request_id, project_id, kind, salt, value)
SELECT {request:UInt32}, {project:UInt32}, 'touch', {salt:UUID}, touch
FROM (
  SELECT DISTINCT toString(touch_id) AS touch
  FROM adtrail.touches_by_id
  WHERE project_id = {project:UInt32} AND received_at <= fromUnixTimestamp64Milli({until:Int64}, 'UTC')
    AND touch_id IN (
      SELECT touch_id
      FROM adtrail.touches_by_identifier
      WHERE identifier IN (
        SELECT bitShiftRight(sipHash64({project:UInt32}, arrayJoin(['gaid', 'idfa']), device), 16)
        FROM (SELECT arrayJoin({devices:Array(String)}) AS device)
      )
    )
  UNION DISTINCT
  SELECT DISTINCT toString(assumeNotNull(touch_id)) AS touch
  FROM adtrail.installs
  WHERE project_id = {project:UInt32} AND touch_id IS NOT NULL AND install_id IN (
    SELECT value FROM adtrail.erasure_subjects WHERE request_id = {request:UInt32} AND kind = 'install')
)
WHERE touch NOT IN (
  SELECT value FROM adtrail.erasure_subjects WHERE request_id = {request:UInt32} AND kind = 'touch');

-- name: find-visitors
-- Notes each visitor of the websites of {project} that any event connects with the user {value}, with the {salt} of
-- {request}. Run again it adds what is new.
INSERT INTO adtrail.erasure_subjects (request_id, project_id, kind, salt, value, pseudonym)
SELECT {request:UInt32}, {project:UInt32}, 'visitor', {salt:UUID}, visitor_id,
  concat('forgotten-', toString(generateUUIDv4(visitor_id)))
FROM (
  SELECT DISTINCT visitor_id FROM adtrail.web_events WHERE project_id = {project:UInt32} AND user_id = {value:String}
)
WHERE visitor_id NOT IN (
  SELECT value FROM adtrail.erasure_subjects WHERE request_id = {request:UInt32} AND kind = 'visitor');

-- name: person-installs
-- One row per install of {project} that any event connects with the identifier {value} of {kind} (gaid, idfa or user).
SELECT DISTINCT install_id AS value
FROM adtrail.app_events
WHERE project_id = {project:UInt32}
  AND multiIf({kind:String} = 'gaid', ifNull(toString(gaid), ''), {kind:String} = 'idfa', ifNull(toString(idfa), ''),
  user_id) = {value:String}
LIMIT {limit:UInt32};

-- name: person-devices
-- One row per advertising ID of the devices with these {installs}.
SELECT DISTINCT arrayJoin(arrayFilter(id -> id != '',
  [ifNull(toString(gaid), ''), ifNull(toString(idfa), '')])) AS value
FROM adtrail.app_events
WHERE project_id = {project:UInt32} AND install_id IN {installs:Array(String)}
LIMIT {limit:UInt32};

-- name: person-touches
-- One row per touch of the {devices}, or that one of these {installs} is credited to.
SELECT DISTINCT value
FROM (
  SELECT toString(touch_id) AS value
  FROM adtrail.touches_by_id
  WHERE project_id = {project:UInt32} AND touch_id IN (
    SELECT touch_id
    FROM adtrail.touches_by_identifier
    WHERE identifier IN (
      SELECT bitShiftRight(sipHash64({project:UInt32}, arrayJoin(['gaid', 'idfa']), device), 16)
      FROM (SELECT arrayJoin({devices:Array(String)}) AS device)
    )
  )
  UNION ALL
  SELECT toString(assumeNotNull(touch_id)) AS value
  FROM adtrail.installs
  WHERE project_id = {project:UInt32} AND touch_id IS NOT NULL AND install_id IN {installs:Array(String)}
)
LIMIT {limit:UInt32};

-- name: person-visitors
-- One row per visitor of the websites of {project} that any event connects with the user {value}.
SELECT DISTINCT visitor_id AS value
FROM adtrail.web_events
WHERE project_id = {project:UInt32} AND user_id = {value:String}
LIMIT {limit:UInt32};

-- name: kinds
-- One row per kind of what is noted of {request}, with how much of it there is and the salt of the request.
SELECT kind, count() AS subjects, toString(any(salt)) AS salt
FROM adtrail.erasure_subjects
WHERE request_id = {request:UInt32}
GROUP BY kind;

-- name: needles
-- One row per install and visitor of {request}, up to {limit}.
SELECT value
FROM adtrail.erasure_subjects
WHERE request_id = {request:UInt32} AND kind IN ('install', 'visitor')
ORDER BY kind, value
LIMIT {limit:UInt32};

-- name: active-parts
-- One row per part that is in force or was at {since} (milliseconds since 1970): its folder. Leftovers are
-- waited for first: what went in the second of {since} went after it.
SELECT path
FROM system.parts
WHERE database = 'adtrail' AND (active OR remove_time >= toDateTime(fromUnixTimestamp64Milli({since:Int64}, 'UTC')));

-- name: subject-folders
-- One row: the folders of the table of identifiers.
SELECT data_paths AS folders FROM system.tables WHERE database = 'adtrail' AND name = 'erasure_subjects';

-- name: unfinished
-- How many changes whose commands match {pattern} are still under way, and why they cannot go on, if they cannot.
-- cluster: of every node
SELECT count() AS unfinished, max(latest_fail_reason) AS failure
FROM system.mutations
WHERE database = 'adtrail' AND NOT is_done AND match(command, {pattern:String});

-- name: leftovers
-- One row per table of {tables} with parts that were given up until {until} (milliseconds since 1970) and are still on
-- the disk.
-- cluster: of every node
SELECT DISTINCT table
FROM system.parts
WHERE database = 'adtrail' AND table IN {tables:Array(String)} AND NOT active AND rows > 0
  AND remove_time > toDateTime(0) AND remove_time <= toDateTime(fromUnixTimestamp64Milli({until:Int64}, 'UTC'));
