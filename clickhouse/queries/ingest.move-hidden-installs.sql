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
)
