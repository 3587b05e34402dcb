-- How many events are stored from {since} until before {until}, of about how many visitors, and how many different events
-- from {recent} on; all in milliseconds. Answered by the projection by_arrival.
SELECT count() AS events, uniq(project_id, visitor_id) AS visitors, uniqExactIf(id, stored_at >= fromUnixTimestamp64Milli({recent:Int64}, 'UTC')) AS recent_events
FROM adtrail.web_events
WHERE stored_at >= fromUnixTimestamp64Milli({since:Int64}, 'UTC') AND stored_at < fromUnixTimestamp64Milli({until:Int64}, 'UTC')
