-- One row a visitor of {every}, in order, among those with an event stored from {since} until before {until}, in
-- milliseconds: boundaries between parts of about equal size.
SELECT visitor_id
FROM adtrail.web_events
WHERE stored_at >= fromUnixTimestamp64Milli({since:Int64}, 'UTC') AND stored_at < fromUnixTimestamp64Milli({until:Int64}, 'UTC')
  AND cityHash64(visitor_id) % {every:UInt32} = 0
GROUP BY visitor_id
ORDER BY visitor_id
