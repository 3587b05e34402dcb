-- Step passed. One row per install event in the queue that lane {lane} of {lanes} is through with: received up to
-- {after}.
SELECT project_id, install_id
FROM adtrail.install_queue
WHERE stored_at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')
  AND received_at <= fromUnixTimestamp64Milli({after:Int64}, 'UTC')
  AND sipHash64(project_id, install_id) % {lanes:UInt8} + 1 = {lane:UInt8}
