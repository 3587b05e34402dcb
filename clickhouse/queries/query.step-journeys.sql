-- Step journeys. One row per journey that passes the filters, with what it is grouped by. Days are those of the
-- project's time zone. Steps: journey_rows, campaigns. Function: passes.
SELECT
  campaigns.campaign AS campaign, campaigns.network AS network, campaigns.partner AS partner,
  campaigns.channel AS channel, journey.ad_set_id AS ad_set, journey.ad_id AS ad, journey.keyword_id AS keyword,
  CAST(journey.platform, 'String') AS platform, CAST(journey.touch_type, 'String') AS touch_type,
  journey.country AS country,
  journey.app AS app, journey.rule AS rule, journey.os_version AS os_version, journey.app_version AS app_version,
  campaigns.campaign_name AS campaign_name, ad_set_name, ad_name, keyword_name,
  kind, suspicious, root_install, start_time, start_day,
  toHour(start_time, {timezone:String}) AS start_hour,
  start_day BETWEEN {from:Date} AND {to:Date} AS started,
  -- A journey counts for day N once that day has ended, so from the age of N + 1 days on.
  toInt32({today:Date}) - toInt32(start_day) AS age,
  last_active_day, active_dates, seen_dates, signup_days, uninstall_days,
  money_days, money_utc_days, money_refunds, money_currencies, money_amounts,
  event_days, event_names, event_users,
  priced_days, priced_utc_days, priced_names, priced_currencies, priced_amounts
FROM journey_rows AS journey
INNER JOIN campaigns ON journey.campaign_id = campaigns.campaign_id
WHERE passes('ad_set', journey.ad_set_id) AND passes('ad', journey.ad_id) AND passes('keyword', journey.keyword_id)
  AND passes('platform', CAST(journey.platform, 'String'))
  AND passes('touch_type', CAST(journey.touch_type, 'String'))
  AND passes('country', journey.country) AND passes('app', journey.app) AND passes('rule', journey.rule)
  AND passes('os_version', journey.os_version) AND passes('app_version', journey.app_version)
