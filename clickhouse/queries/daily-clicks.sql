-- name: dirty
-- One row per campaign and day of receipt of which clicks were stored at {insert_times}, or at any time since {since}.
SELECT DISTINCT project_id, campaign_id, toString(bucket) AS bucket
FROM adtrail.clicks
WHERE stored_at >= fromUnixTimestamp64Milli({since:Int64})
  AND ({all:Bool} OR toUnixTimestamp64Milli(stored_at) IN {insert_times:Array(Int64)});

-- name: buckets
-- One row per day on which these projects received clicks.
SELECT DISTINCT toString(bucket) AS bucket FROM adtrail.clicks
  WHERE project_id IN {projects:Array(UInt32)} ORDER BY bucket;

-- name: derive
-- One row per campaign and UTC day of receipt: its clicks by day, platform and what they named.
INSERT INTO adtrail.daily_clicks (project_id, campaign_id, bucket, days, platforms, ad_set_ids, ad_ids, keyword_ids,
  clicks, version)
SELECT project_id, campaign_id, bucket, groupArray(day), groupArray(platform), groupArray(ad_set_id),
  groupArray(ad_id), groupArray(keyword_id), groupArray(clicks), {version:UInt64}
FROM (
  SELECT project_id, campaign_id, bucket, toDate(click_time, {timezone:String}) AS day,
    platform, ad_set_id, ad_id, keyword_id, count() AS clicks
  FROM adtrail.clicks FINAL
  WHERE project_id IN {projects:Array(UInt32)} AND bucket IN {buckets:Array(Date)}
    AND (empty({campaigns:Array(UInt32)}) OR campaign_id IN {campaigns:Array(UInt32)})
  GROUP BY project_id, campaign_id, bucket, day, platform, ad_set_id, ad_id, keyword_id
)
GROUP BY project_id, campaign_id, bucket;
