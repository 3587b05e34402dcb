-- One row per level, and campaign, ad set, ad or keyword that journeys are credited to: installs, touches and retention
-- by the day on which the journey began, sign-ups and uninstalls by their own day, in the project's time zone. Counted
-- in two steps, since whether a journey is of the range and old enough is the same for all of a day, of which there are
-- fewer. Step: journeys. Function: levels_of.
SELECT
  level, campaign_id,
  if(level = 'campaign', '', ad_set_part) AS ad_set,
  if(level = 'ad', ad_part, '') AS ad,
  if(level = 'keyword', keyword_part, '') AS keyword,
  -- Names as the latest journey has them that has any.
  if(level = 'campaign', '', argMaxIf(by_day.ad_set_name, ad_set_named_at, by_day.ad_set_name != '')) AS ad_set_name,
  if(level = 'ad', argMaxIf(by_day.ad_name, ad_named_at, by_day.ad_name != ''), '') AS ad_name,
  if(level = 'ad', argMaxIf(by_day.ad_type, ad_typed_at, by_day.ad_type != ''), '') AS ad_type,
  if(level = 'keyword', argMaxIf(by_day.keyword_name, keyword_named_at, by_day.keyword_name != ''), '')
    AS keyword_name,
  sumIf(by_day.installs, started) AS installs,
  sumIf(by_day.reinstalls, started) AS reinstalls,
  sumIf(by_day.reengagements, started) AS reengagements,
  sumIf(by_day.click_through, started) AS click_through,
  sumIf(by_day.view_through, started) AS view_through,
  sumIf(suspicious, started) AS suspicious_installs,
  sum(by_day.signups) AS signups,
  sum(by_day.uninstalls) AS uninstalls,
  sum(by_day.recent_starts) AS recent_starts,
  -- An install may have been reinstalled or re-engaged several times.
  if({view:String} = 'retargeting', uniqExactArray(active_installs), sum(active)) AS active_users,
  sumIf(starts, started AND age > 0) AS mature_0,
  sumIf(starts, started AND age > 1) AS mature_1,
  sumIf(starts, started AND age > 3) AS mature_3,
  sumIf(starts, started AND age > 7) AS mature_7,
  sumIf(starts, started AND age > 14) AS mature_14,
  sumIf(starts, started AND age > 30) AS mature_30,
  sumIf(on_1, started AND age > 1) AS retained_1,
  sumIf(to_7, started AND age > 7) AS retained_7,
  sumIf(to_14, started AND age > 14) AS retained_14,
  sumIf(to_30, started AND age > 30) AS retained_30,
  sumIf(on_1, started AND age > 1) AS classic_1,
  sumIf(on_7, started AND age > 7) AS classic_7,
  sumIf(on_14, started AND age > 14) AS classic_14,
  sumIf(on_30, started AND age > 30) AS classic_30,
  sumIf(from_1, started AND age > 1) AS rolling_1,
  sumIf(from_7, started AND age > 7) AS rolling_7
FROM (
  SELECT
    campaign_id, ad_set_part, ad_part, keyword_part, start_day, any(journeys.started) AS started,
    any(journeys.age) AS age,
    {levels:Array(String)} = ['campaign'] AS whole,
    if(whole, '', argMaxIf(part_ad_set_name, start_time, part_ad_set_name != '')) AS ad_set_name,
    if(whole, toDateTime64(0, 3, 'UTC'), maxIf(start_time, part_ad_set_name != '')) AS ad_set_named_at,
    if(whole, '', argMaxIf(part_ad_name, start_time, part_ad_name != '')) AS ad_name,
    if(whole, toDateTime64(0, 3, 'UTC'), maxIf(start_time, part_ad_name != '')) AS ad_named_at,
    if(whole, '', argMaxIf(part_ad_type, start_time, part_ad_type != '')) AS ad_type,
    if(whole, toDateTime64(0, 3, 'UTC'), maxIf(start_time, part_ad_type != '')) AS ad_typed_at,
    if(whole, '', argMaxIf(part_keyword_name, start_time, part_keyword_name != '')) AS keyword_name,
    if(whole, toDateTime64(0, 3, 'UTC'), maxIf(start_time, part_keyword_name != '')) AS keyword_named_at,
    count() AS starts,
    countIf(kind = 'install') AS installs,
    countIf(kind = 'reinstall') AS reinstalls,
    countIf(kind = 'reengagement') AS reengagements,
    countIf(touch_type = 'click') AS click_through,
    countIf(touch_type IN ('impression', 'ctv_impression')) AS view_through,
    sum(journeys.suspicious) AS suspicious,
    sum(arrayCount(day -> day BETWEEN {from:Date} AND {to:Date}, signup_days)) AS signups,
    sum(arrayCount(day -> day BETWEEN {from:Date} AND {to:Date}, uninstall_days)) AS uninstalls,
    countIf(start_time >= fromUnixTimestamp64Milli({active_since:Int64})) AS recent_starts,
    countIf(journeys.active) AS active,
    if({view:String} = 'retargeting', groupUniqArrayIf(root_install, journeys.active), []) AS active_installs,
    -- Active on day N itself, on any day from 1 to N, on day N or later.
    countIf(bitTest(active_days, 1)) AS on_1,
    countIf(bitTest(active_days, 7)) AS on_7,
    countIf(bitTest(active_days, 14)) AS on_14,
    countIf(bitTest(active_days, 30)) AS on_30,
    countIf(bitAnd(active_days, 0xFE) != 0) AS to_7,
    countIf(bitAnd(active_days, 0x7FFE) != 0) AS to_14,
    countIf(bitAnd(active_days, 0x7FFFFFFE) != 0) AS to_30,
    countIf(last_active_day >= 1) AS from_1,
    countIf(last_active_day >= 7) AS from_7
  FROM journeys
  GROUP BY campaign_id, ad_set_part, ad_part, keyword_part, start_day
) AS by_day
ARRAY JOIN levels_of(ad_set_part, ad_part, keyword_part) AS level
GROUP BY level, campaign_id, ad_set, ad, keyword
