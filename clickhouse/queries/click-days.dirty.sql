-- One row a campaign and bucket of which clicks were stored at these moments.
SELECT DISTINCT project_id, campaign_id, toString(bucket) AS bucket
FROM adtrail.clicks
WHERE stored_at >= fromUnixTimestamp64Milli({since:Int64}) AND ({all_clicks:Bool} OR toUnixTimestamp64Milli(stored_at) IN {clicks:Array(Int64)})
