-- One row per event ID that two processes stored at once on two visitors, among what was stored since {since}
-- (milliseconds): each process knows what it has stored itself at once, and what others have within seconds.
SELECT id
FROM adtrail.web_events
WHERE stored_at >= fromUnixTimestamp64Milli({since:Int64}, 'UTC')
GROUP BY project_id, id
HAVING uniqExact(visitor_id) > 1
