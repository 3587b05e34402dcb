-- How many install events put into the queue from {from} on were received after {settled} (milliseconds since 1970).
SELECT count() AS installs
FROM adtrail.install_queue
WHERE stored_at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')
  AND received_at > fromUnixTimestamp64Milli({settled:Int64}, 'UTC')
