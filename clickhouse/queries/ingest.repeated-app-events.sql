-- One row per event ID that stands on two installs, or as an install and as another event, one of them stored since
-- {since} (milliseconds) and the others in the 15 s before or since: two processes stored it at once. Answered by the
-- projection by_arrival.
SELECT id
FROM adtrail.app_events
WHERE stored_at >= fromUnixTimestamp64Milli({since:Int64}, 'UTC') - INTERVAL 15 SECOND
  AND id IN (SELECT id FROM adtrail.app_events WHERE stored_at >= fromUnixTimestamp64Milli({since:Int64}, 'UTC'))
GROUP BY project_id, id
HAVING uniqExact(install_id, type = 'install') > 1
