-- How many different events are stored from {since} until before {until}, and how many of them from {recent} on; all in
-- milliseconds. Answered by the projection by_arrival.
SELECT uniqExact(id) AS events, uniqExactIf(id, stored_at >= fromUnixTimestamp64Milli({recent:Int64}, 'UTC')) AS recent_events
FROM adtrail.web_events
WHERE stored_at >= fromUnixTimestamp64Milli({since:Int64}, 'UTC') AND stored_at < fromUnixTimestamp64Milli({until:Int64}, 'UTC')
