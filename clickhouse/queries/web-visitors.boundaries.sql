-- One row per {every} visitors, in order, among those with an event stored since {since} (milliseconds): where the
-- visitors of one statement end and those of the next begin.
SELECT visitor_id
FROM adtrail.web_events
WHERE stored_at >= fromUnixTimestamp64Milli({since:Int64}, 'UTC') AND cityHash64(visitor_id) % {every:UInt32} = 0
GROUP BY visitor_id
ORDER BY visitor_id
