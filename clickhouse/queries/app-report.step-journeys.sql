-- Step journeys. One row per journey of the report's view, campaigns and platform, on any day. Days are those of the
-- project's time zone. Table: adtrail.journeys.
SELECT
  campaign_id,
  -- What only parts of campaigns need is not read for campaigns.
  {levels:Array(String)} = ['campaign'] AS is_whole,
  if(is_whole, '', ad_set_id) AS ad_set_part,
  if(is_whole, '', ad_id) AS ad_part,
  if(is_whole, '', keyword_id) AS keyword_part,
  if(is_whole, '', ad_set_name) AS part_ad_set_name,
  if(is_whole, '', ad_name) AS part_ad_name,
  if(is_whole, '', toString(ad_type)) AS part_ad_type,
  if(is_whole, '', keyword_name) AS part_keyword_name,
  root_install, kind, touch_type, suspicious, start_time, start_day, active_days, last_active_day,
  start_day BETWEEN {from:Date} AND {to:Date} AS started,
  -- A journey counts for day N once that day has ended, so from the age of N + 1 days on.
  toInt32({today:Date}) - toInt32(start_day) AS age,
  last_event_time >= fromUnixTimestamp64Milli({active_since:Int64}) AS active,
  signup_days, uninstall_days,
  money_days, money_utc_days, money_refunds, money_types, money_currencies, money_amounts,
  event_days, event_names, event_users,
  priced_days, priced_utc_days, priced_names, priced_currencies, priced_amounts
FROM adtrail.journeys FINAL
WHERE project_id = {project_id:UInt32}
  AND report_view = {view:String}
  AND campaign_id IN {campaigns:Array(UInt32)}
  AND ({platform:String} = '' OR platform = {platform:String})
