-- name: find-missed
-- Puts install events into the queue that were stored from {from} on and before {to} (milliseconds) and that neither it
-- nor a decision holds: those stored before there was a queue, and those whose insert did not come to its end. Chunk
-- {chunk} of {chunks}, by hash. Run twice it changes nothing.
INSERT INTO adtrail.install_queue (
  project_id, install_id, event_key, event_id, install_time, received_at, app_id, platform, gaid, idfa, ip, ip_hash,
  country, ua, os, referrer_click_id, referrer_click_time, install_begin_time, attribution, trusted, version, is_deleted
)
WITH
  -- By the projection by_arrival.
  stored AS (
    SELECT DISTINCT project_id, install_id
    FROM adtrail.app_events
    WHERE type = 'install'
      AND stored_at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')
      AND stored_at < fromUnixTimestamp64Milli({to:Int64}, 'UTC')
      AND cityHash64(install_id) % {chunks:UInt32} = {chunk:UInt32}
      AND (project_id, install_id) NOT IN (SELECT project_id, install_id FROM adtrail.install_queue
        WHERE stored_at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC'))
  ),
  missed AS (
    SELECT project_id, install_id
    FROM stored
    WHERE (project_id, install_id) NOT IN (SELECT project_id, install_id FROM adtrail.installs
      WHERE (project_id, install_id) IN (SELECT project_id, install_id FROM stored))
  )
SELECT
  project_id, install_id, event_key, event_id, time, received_at, app_id, platform, gaid, idfa, ip, ip_hash, country,
  ua, os, referrer_click_id, referrer_click_time, install_begin_time, attribution, trusted, version, is_deleted
FROM adtrail.app_events FINAL
PREWHERE (project_id, install_id) IN (SELECT project_id, install_id FROM missed)
WHERE type = 'install';
