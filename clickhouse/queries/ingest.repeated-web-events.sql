-- One row per event ID that two processes stored at once on two visitors, one of them stored since {since}
-- (milliseconds) and the others in the 15 s before or since: each process knows what it has stored itself at once, and
-- what others have within seconds. Answered by the projection by_arrival.
SELECT id
FROM adtrail.web_events
WHERE stored_at >= fromUnixTimestamp64Milli({since:Int64}, 'UTC') - INTERVAL 15 SECOND
  AND id IN (SELECT id FROM adtrail.web_events WHERE stored_at >= fromUnixTimestamp64Milli({since:Int64}, 'UTC'))
GROUP BY project_id, id
HAVING uniqExact(visitor_id) > 1
