-- One row per level, and campaign, ad set, ad or keyword that journeys are credited to: installs, touches and retention
-- by the day on which the journey began, sign-ups and uninstalls by their own day, in the project's time zone. Step:
-- journeys. Function: levels_of.
SELECT
  level, campaign_id,
  if(level = 'campaign', '', ad_set_part) AS ad_set,
  if(level = 'ad', ad_part, '') AS ad,
  if(level = 'keyword', keyword_part, '') AS keyword,
  argMaxIf(part_ad_set_name, (part_ad_set_name != '', start_time), level != 'campaign') AS ad_set_name,
  argMaxIf(part_ad_name, (part_ad_name != '', start_time), level = 'ad') AS ad_name,
  argMaxIf(part_ad_type, (part_ad_type != '', start_time), level = 'ad') AS ad_type,
  argMaxIf(part_keyword_name, (part_keyword_name != '', start_time), level = 'keyword') AS keyword_name,
  countIf(started AND kind = 'install') AS installs,
  countIf(started AND kind = 'reinstall') AS reinstalls,
  countIf(started AND kind = 'reengagement') AS reengagements,
  countIf(started AND touch_type = 'click') AS click_through,
  countIf(started AND touch_type IN ('impression', 'ctv_impression')) AS view_through,
  countIf(started AND suspicious) AS suspicious_installs,
  sum(row.signups) AS signups,
  sum(row.uninstalls) AS uninstalls,
  countIf(start_time >= fromUnixTimestamp64Milli({active_since:Int64})) AS recent_starts,
  -- An install may have been reinstalled or re-engaged several times.
  if({view:String} = 'retargeting', uniqExactIf(root_install, active), countIf(active)) AS active_users,
  countIf(started AND age > 0) AS mature_0,
  countIf(started AND age > 1) AS mature_1,
  countIf(started AND age > 3) AS mature_3,
  countIf(started AND age > 7) AS mature_7,
  countIf(started AND age > 14) AS mature_14,
  countIf(started AND age > 30) AS mature_30,
  -- Active on any day from 1 to N.
  countIf(started AND age > 1 AND bitTest(active_days, 1)) AS retained_1,
  countIf(started AND age > 7 AND bitAnd(active_days, 0xFE) != 0) AS retained_7,
  countIf(started AND age > 14 AND bitAnd(active_days, 0x7FFE) != 0) AS retained_14,
  countIf(started AND age > 30 AND bitAnd(active_days, 0x7FFFFFFE) != 0) AS retained_30,
  -- Active on day N itself.
  countIf(started AND age > 1 AND bitTest(active_days, 1)) AS classic_1,
  countIf(started AND age > 7 AND bitTest(active_days, 7)) AS classic_7,
  countIf(started AND age > 14 AND bitTest(active_days, 14)) AS classic_14,
  countIf(started AND age > 30 AND bitTest(active_days, 30)) AS classic_30,
  -- Active on day N or later.
  countIf(started AND age > 1 AND last_active_day >= 1) AS rolling_1,
  countIf(started AND age > 7 AND last_active_day >= 7) AS rolling_7
FROM (
  SELECT
    campaign_id, ad_set_part, ad_part, keyword_part, part_ad_set_name, part_ad_name, part_ad_type, part_keyword_name,
    root_install, kind, touch_type, suspicious, start_time, active_days, last_active_day, started, age, active,
    arrayCount(day -> day BETWEEN {from:Date} AND {to:Date}, signup_days) AS signups,
    arrayCount(day -> day BETWEEN {from:Date} AND {to:Date}, uninstall_days) AS uninstalls
  FROM journeys
) AS row
ARRAY JOIN levels_of(ad_set_part, ad_part, keyword_part) AS level
GROUP BY level, campaign_id, ad_set, ad, keyword
