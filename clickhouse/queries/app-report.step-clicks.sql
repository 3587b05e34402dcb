-- Step in_scope of app-report.clicks.sql. One row per campaign, ad set, ad, keyword, platform and day of tracked clicks,
-- for each UTC day on which they were received. `day` is in the project's time zone. Table: adtrail.click_days.
SELECT campaign_id, ad_set_id, ad_id, keyword_id, day, tracked
FROM adtrail.click_days FINAL
ARRAY JOIN
  days AS day,
  platforms AS platform,
  ad_set_ids AS ad_set_id,
  ad_ids AS ad_id,
  keyword_ids AS keyword_id,
  clicks AS tracked
WHERE project_id = {project_id:UInt32}
  AND campaign_id IN {campaigns:Array(UInt32)}
  AND ({platform:String} = '' OR platform = {platform:String})
