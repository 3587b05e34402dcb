-- name: days-of-touches
-- One row per ID of {ids} that the table holds, with the first and the last UTC day of its receipt. Answered by the
-- projection by_id alone: a column that the projection lacks would make it scan the table.
SELECT {id_column:Identifier} AS id, toString(min(bucket)) AS first, toString(max(bucket)) AS last
FROM adtrail.{table:Identifier}
WHERE {id_column:Identifier} IN {ids:Array(UUID)}
GROUP BY id
SETTINGS ignore_data_skipping_indices = 'by_touch_id';

-- name: versions-of-events
-- One row per ID of {ids} that the table holds, with the versions of its first and its last receipt (the greater one is
-- the earlier); 0 and 0 where all its rows are hidden. Answered by the projection by_id alone.
SELECT
  {id_column:Identifier} AS id,
  maxIf(version, version < 18446744073709551615) AS first,
  minIf(version, version < 18446744073709551615) AS last
FROM adtrail.{table:Identifier}
WHERE {id_column:Identifier} IN {ids:Array(UUID)}
GROUP BY id;

-- name: hide-later-touches
-- Writes a tombstone per row of the touches {ids} but those of the first day of receipt of each: a touch counts once,
-- as it was received first.
INSERT INTO adtrail.{table:Identifier}
WITH
  first_received AS (
    SELECT {id_column:Identifier} AS id, min(bucket) AS bucket
    FROM adtrail.{table:Identifier}
    WHERE {id_column:Identifier} IN {ids:Array(UUID)}
    GROUP BY id
    -- The projection by_id answers.
    SETTINGS ignore_data_skipping_indices = 'by_touch_id'
  )
SELECT * REPLACE (18446744073709551615 AS version, 1 AS is_deleted, now64(3, 'UTC') AS stored_at)
FROM adtrail.{table:Identifier} FINAL
WHERE bucket > (SELECT min(bucket) FROM first_received)
  AND {id_column:Identifier} IN {ids:Array(UUID)}
  AND ({id_column:Identifier}, bucket) NOT IN (SELECT id, bucket FROM first_received);

-- name: count-of-late
-- One row: how many IDs stand among what was stored since {since} (milliseconds) after the day of its receipt, at most,
-- as late-repeats reads it.
SELECT count() AS rows
FROM adtrail.{table:Identifier}
WHERE stored_at >= fromUnixTimestamp64Milli({since:Int64}, 'UTC')
  AND bucket < toDate(stored_at + INTERVAL 1 MINUTE)
  AND bucket < toDate(now('UTC'));

-- name: late-repeats
-- One row per ID that stands on several days of receipt, among what was stored since {since} (milliseconds) after the
-- day of its receipt: its process held it over midnight while another one stored a repeat. An insert carries the time
-- at which it began, so the last minute before a midnight belongs to the next day too. The IDs of chunk {chunk} of
-- {chunks}, by hash, are looked up in the projection by_id.
WITH late AS (
  SELECT {id_column:Identifier}
  FROM adtrail.{table:Identifier}
  WHERE stored_at >= fromUnixTimestamp64Milli({since:Int64}, 'UTC')
    AND bucket < toDate(stored_at + INTERVAL 1 MINUTE)
    AND bucket < toDate(now('UTC'))
    AND cityHash64({id_column:Identifier}) % {chunks:UInt32} = {chunk:UInt32}
)
SELECT {id_column:Identifier} AS id
FROM adtrail.{table:Identifier}
WHERE {id_column:Identifier} IN (SELECT * FROM late)
GROUP BY id
HAVING min(bucket) < max(bucket)
SETTINGS ignore_data_skipping_indices = 'by_touch_id';

-- name: ids-stored-late
-- One row per ID received before {today} and stored at {since} (milliseconds since 1970) or later: its process held it
-- over midnight.
SELECT {id_column:Identifier}
FROM adtrail.{table:Identifier}
WHERE stored_at >= fromUnixTimestamp64Milli({since:Int64}, 'UTC') AND bucket < {today:Date};

-- name: ids-of-other-days
-- One row per ID received on another day than {today}, from {since} on: what the filter of known IDs is filled with.
SELECT {id_column:Identifier}
FROM adtrail.{table:Identifier}
WHERE bucket != {today:Date} AND bucket >= {since:Date};

-- name: count-of-other-days
-- How many rows there are of other days than {today}, from {since} on.
SELECT count() AS rows
FROM adtrail.{table:Identifier}
WHERE bucket != {today:Date} AND bucket >= {since:Date};

-- name: first-version-of-day
-- The smallest version, so the latest receipt, among the rows of {today}; 0 where there are none. Smaller ones than
-- {least} are of rows that somebody inserted by hand.
SELECT minIf(version, version >= {least:UInt64}) AS version
FROM adtrail.{table:Identifier}
WHERE bucket = {today:Date};

-- name: repeated-app-events
-- One row per event ID that stands on two installs, or as an install and as another event, one of them stored since
-- {since} (milliseconds) and the others in the 15 s before or since: two processes stored it at once. Answered by the
-- projection by_arrival.
SELECT id
FROM adtrail.app_events
WHERE stored_at >= fromUnixTimestamp64Milli({since:Int64}, 'UTC') - INTERVAL 15 SECOND
  AND id IN (SELECT id FROM adtrail.app_events WHERE stored_at >= fromUnixTimestamp64Milli({since:Int64}, 'UTC'))
GROUP BY project_id, id
HAVING uniqExact(install_id, type = 'install') > 1;

-- name: sweep-app-events
-- Writes a tombstone per row of the events {ids} but the first received of each: an event counts once, whatever
-- install a repeat names. It is stored now, so that what was derived from the repeat is derived again. The projection
-- by_id finds the rows.
INSERT INTO adtrail.app_events
WITH
  repeated AS (
    SELECT id, project_id, install_id, event_key, version FROM adtrail.app_events WHERE id IN {ids:Array(UUID)}
  ),
  first_received AS (
    SELECT id, argMax(install_id, version) AS install_id, argMax(event_key, version) AS event_key
    FROM repeated
    WHERE version < 18446744073709551615
    GROUP BY id
  )
SELECT * REPLACE (18446744073709551615 AS version, 1 AS is_deleted, now64(3, 'UTC') AS stored_at)
FROM adtrail.app_events FINAL
WHERE (project_id, install_id, event_key) IN (SELECT project_id, install_id, event_key FROM repeated)
  AND id IN {ids:Array(UUID)}
  AND (id, install_id, event_key) NOT IN (SELECT id, install_id, event_key FROM first_received);

-- name: hidden-installs
-- One row per install event that was hidden at {since} (milliseconds) or later, as a repeat of an event that another
-- install holds: the key in which the next install event of the same sender would be hidden too.
SELECT DISTINCT project_id, install_id, toString(event_key) AS event_key
FROM adtrail.app_events
PREWHERE is_deleted = 1
WHERE type = 'install' AND stored_at >= fromUnixTimestamp64Milli({since:Int64}, 'UTC');

-- name: move-hidden-installs
-- Stores install events once more, under the next key of their sender, that share the key of an event that was hidden
-- at {since} (milliseconds) or later and are another event: they were stored by a process that did not know of it yet.
-- Run twice it changes nothing.
INSERT INTO adtrail.app_events
WITH
  hidden AS (
    SELECT project_id, install_id, event_key, id
    FROM adtrail.app_events
    PREWHERE is_deleted = 1
    WHERE type = 'install' AND stored_at >= fromUnixTimestamp64Milli({since:Int64}, 'UTC')
  )
SELECT * REPLACE (
  -- Keys of install events are small numbers: even ones of apps, odd ones of the project's servers.
  toUUID(concat('00000000-0000-0000-0000-', leftPad(
    lower(hex(reinterpretAsUInt64(reverse(unhex(right(hex(event_key), 16)))) + 2)), 12, '0'
  ))) AS event_key,
  now64(3, 'UTC') AS stored_at
)
FROM (
  SELECT *
  FROM adtrail.app_events
  WHERE is_deleted = 0
    AND (project_id, install_id, event_key) IN (SELECT project_id, install_id, event_key FROM hidden)
    AND (project_id, install_id, event_key, id) NOT IN (SELECT project_id, install_id, event_key, id FROM hidden)
);

-- name: repeated-web-events
-- One row per event ID that two processes stored at once on two visitors, one of them stored since {since}
-- (milliseconds) and the others in the 15 s before or since: each process knows what it has stored itself at once, and
-- what others have within seconds. Answered by the projection by_arrival.
SELECT id
FROM adtrail.web_events
WHERE stored_at >= fromUnixTimestamp64Milli({since:Int64}, 'UTC') - INTERVAL 15 SECOND
  AND id IN (SELECT id FROM adtrail.web_events WHERE stored_at >= fromUnixTimestamp64Milli({since:Int64}, 'UTC'))
GROUP BY project_id, id
HAVING uniqExact(visitor_id) > 1;

-- name: sweep-web-events
-- Writes a tombstone per row of the events {ids} but the first received of each: an event counts once, whatever
-- visitor a repeat names. It is stored now, so that what was derived from the repeat is derived again.
INSERT INTO adtrail.web_events
SELECT * REPLACE (18446744073709551615 AS version, 1 AS is_deleted, now64(3, 'UTC') AS stored_at)
FROM adtrail.web_events FINAL
WHERE id IN {ids:Array(UUID)}
  AND (id, visitor_id) NOT IN (
    SELECT id, argMax(visitor_id, version) FROM adtrail.web_events FINAL WHERE id IN {ids:Array(UUID)} GROUP BY id
  );

-- name: ids-stored-since
-- One row per row stored at {since} (milliseconds since 1970) or later: its ID. Answered by the projection by_arrival.
SELECT {id_column:Identifier}
FROM adtrail.{table:Identifier}
WHERE stored_at >= fromUnixTimestamp64Milli({since:Int64}, 'UTC');

-- name: count-of-rows
-- How many rows there are, repeats included.
SELECT count() AS rows FROM adtrail.{table:Identifier};
