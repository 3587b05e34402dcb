-- One row per install event that was hidden at {since} (milliseconds) or later, as a repeat of an event that another
-- install holds: the key in which the next install event of the same sender would be hidden too.
SELECT DISTINCT project_id, install_id, toString(event_key) AS event_key
FROM adtrail.app_events
PREWHERE is_deleted = 1
WHERE type = 'install' AND stored_at >= fromUnixTimestamp64Milli({since:Int64}, 'UTC')
