-- Step passed. One row per install event that lane {lane} is through with: received up to {after}. Step: queued.
SELECT project_id, install_id
FROM queued
WHERE {lane:UInt8} != 0 AND received_at <= fromUnixTimestamp64Milli({after:Int64}, 'UTC')
