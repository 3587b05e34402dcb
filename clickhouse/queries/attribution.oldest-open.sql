-- One row: how many install events put into the queue from {from} on were received after {settled}, and when the first
-- of them and of those of run {run_id} was stored, else {from} (milliseconds since 1970).
SELECT
  countIf(received_at > fromUnixTimestamp64Milli({settled:Int64}, 'UTC')) AS open,
  if(count() = 0, {from:Int64}, toUnixTimestamp64Milli(min(stored_at))) AS oldest
FROM adtrail.install_queue
WHERE stored_at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')
  AND (received_at > fromUnixTimestamp64Milli({settled:Int64}, 'UTC') OR (project_id, install_id) IN (
    SELECT project_id, install_id FROM adtrail.attribution_batches WHERE run_id = {run_id:UInt64}))
