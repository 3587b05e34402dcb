-- Step journeys. One row per journey of the report's view, campaigns and platform that names what the level is about,
-- on any day; ad_set, ad and keyword are what the level groups by, each empty where it does not. Days are those of the
-- project's time zone. Table: adtrail.journeys. Function: names_level.
SELECT
  campaign_id,
  if({level:String} = 'campaign', '', ad_set_id) AS ad_set,
  if({level:String} = 'ad', ad_id, '') AS ad,
  if({level:String} = 'keyword', keyword_id, '') AS keyword,
  ad_id, keyword_id, ad_set_name, ad_name, ad_type, keyword_name,
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
  AND names_level(ad_set_id, ad_id, keyword_id)
