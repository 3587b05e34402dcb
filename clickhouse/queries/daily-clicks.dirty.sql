-- One row per campaign and day of receipt of which clicks were stored at {insert_times}, or at any time since {since}.
SELECT DISTINCT project_id, campaign_id, toString(bucket) AS bucket
FROM adtrail.clicks
WHERE stored_at >= fromUnixTimestamp64Milli({since:Int64})
  AND ({all:Bool} OR toUnixTimestamp64Milli(stored_at) IN {insert_times:Array(Int64)})
