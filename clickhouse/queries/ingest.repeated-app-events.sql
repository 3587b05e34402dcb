-- One row per event ID that stands on two installs, or as an install and as another event, among what was stored since
-- {since} (milliseconds): two processes stored it at once. Answered by the projection by_arrival.
SELECT id
FROM adtrail.app_events
WHERE stored_at >= fromUnixTimestamp64Milli({since:Int64}, 'UTC')
GROUP BY project_id, id
HAVING uniqExact(install_id, type = 'install') > 1
