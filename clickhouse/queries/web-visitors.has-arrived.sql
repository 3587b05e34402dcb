-- The part of web-visitors.derive and .derive-touches that keeps to visitors with an event stored from {since} until
-- before {until}, in milliseconds.
(project_id, visitor_id) IN (
    SELECT project_id, visitor_id
    FROM adtrail.web_events
    WHERE stored_at >= fromUnixTimestamp64Milli({since:Int64}, 'UTC') AND stored_at < fromUnixTimestamp64Milli({until:Int64}, 'UTC')
  )
