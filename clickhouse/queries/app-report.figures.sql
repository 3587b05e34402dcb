-- One row a campaign, ad set, ad or keyword that journeys are credited to, whichever level is asked for. Installs, touches
-- and retention by the day on which a journey began, sign-ups and uninstalls by their own day, all in the project's days.
-- A journey counts for day N once that day has ended.
SELECT
  campaign_id,
  if({level:String} = 'campaign', '', ad_set_id) AS ad_set,
  if({level:String} = 'ad', ad_id, '') AS ad,
  if({level:String} = 'keyword', keyword_id, '') AS keyword,
  if({level:String} = 'campaign', '', argMax(ad_set_name, (ad_set_name != '', start_time))) AS ad_set_name_of,
  if({level:String} = 'ad', argMax(ad_name, (ad_name != '', start_time)), '') AS ad_name_of,
  if({level:String} = 'ad', argMax(toString(ad_type), (ad_type != '', start_time)), '') AS ad_type_of,
  if({level:String} = 'keyword', argMax(keyword_name, (keyword_name != '', start_time)), '') AS keyword_name_of,
  if({level:String} = 'ad_set', max(ad_id != ''), 0) AS has_ads,
  if({level:String} = 'ad_set', max(keyword_id != ''), 0) AS has_keywords,
  countIf(started AND kind = 'install') AS installs,
  countIf(started AND kind = 'reinstall') AS reinstalls,
  countIf(started AND kind = 'reengagement') AS reengagements,
  countIf(started AND touch_type = 'click') AS click_through,
  countIf(started AND touch_type IN ('impression', 'ctv_impression')) AS view_through,
  countIf(started AND suspicious) AS suspicious_installs,
  sum(arrayCount(d -> d >= {from:Date} AND d <= {to:Date}, signup_days)) AS signups,
  sum(arrayCount(d -> d >= {from:Date} AND d <= {to:Date}, uninstall_days)) AS uninstalls,
  countIf(start_time >= fromUnixTimestamp64Milli({active_since:Int64})) AS recent_starts,
  -- An install may have been reinstalled or re-engaged several times.
  if({view:String} = 'retargeting', uniqExactIf(root_install, last_event_time >= fromUnixTimestamp64Milli({active_since:Int64})), countIf(last_event_time >= fromUnixTimestamp64Milli({active_since:Int64}))) AS active_users,
  countIf(started AND age > 0) AS mature_0,
  countIf(started AND age > 1) AS mature_1,
  countIf(started AND age > 3) AS mature_3,
  countIf(started AND age > 7) AS mature_7,
  countIf(started AND age > 14) AS mature_14,
  countIf(started AND age > 30) AS mature_30,
  countIf(started AND age > 1 AND bitTest(active_days, 1)) AS retained_1,
  countIf(started AND age > 7 AND bitAnd(active_days, 0xFE) != 0) AS retained_7,
  countIf(started AND age > 14 AND bitAnd(active_days, 0x7FFE) != 0) AS retained_14,
  countIf(started AND age > 30 AND bitAnd(active_days, 0x7FFFFFFE) != 0) AS retained_30,
  countIf(started AND age > 1 AND bitTest(active_days, 1)) AS classic_1,
  countIf(started AND age > 7 AND bitTest(active_days, 7)) AS classic_7,
  countIf(started AND age > 14 AND bitTest(active_days, 14)) AS classic_14,
  countIf(started AND age > 30 AND bitTest(active_days, 30)) AS classic_30,
  countIf(started AND age > 1 AND last_active_day >= 1) AS rolling_1,
  countIf(started AND age > 7 AND last_active_day >= 7) AS rolling_7
FROM (
  SELECT *, start_day >= {from:Date} AND start_day <= {to:Date} AS started, toInt32({today:Date}) - toInt32(start_day) AS age
  FROM adtrail.journeys FINAL
  WHERE project_id = {project_id:UInt32} AND report_view = {view:String} AND campaign_id IN {campaigns:Array(UInt32)} AND ({platform:String} = '' OR platform = {platform:String})
    AND ({level:String} NOT IN ('ad_set', 'ad') OR ad_set_id != '') AND ({level:String} != 'ad' OR ad_id != '') AND ({level:String} != 'keyword' OR keyword_id != '')
)
GROUP BY campaign_id, ad_set, ad, keyword
