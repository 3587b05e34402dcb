-- One row an event ID that stands on two installs, or as an install and as another event, among what was stored from {from}
-- on (milliseconds since 1970): two processes stored it at once, and neither knew of the other. Answered by the projection
-- by_arrival.
SELECT id
FROM adtrail.app_events
WHERE stored_at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')
GROUP BY project_id, id
HAVING uniqExact(install_id, type = 'install') > 1
