-- One row an event ID that two processes stored at once on two visitors, among what is stored from {since} until before
-- {until} (milliseconds): each process knows what it has stored itself, and within seconds what others have.
SELECT id
FROM adtrail.web_events
WHERE stored_at >= fromUnixTimestamp64Milli({since:Int64}, 'UTC') AND stored_at < fromUnixTimestamp64Milli({until:Int64}, 'UTC')
GROUP BY project_id, id
HAVING uniqExact(visitor_id) > 1
