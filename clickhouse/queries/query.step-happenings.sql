-- Of step facts. One row per group and kind of what happened on journeys in the range, by its own day: how often, and
-- to how many. By days since the start: what happened on the days that have ended of the journeys that began in the
-- range. Step: journeys. Function: key_of.
SELECT
  key_of(
    campaign, network, partner, channel, ad_set, ad, keyword, platform, country, touch_type, app, rule, os_version,
    app_version, happened.day, toUInt8(0), start_day, happened.day_n
  ) AS key,
  any(happened.campaign_name) AS campaign_name,
  if(has({dimensions:Array(String)}, 'ad_set'), max((happened.start_time, happened.ad_set_name)),
    (toDateTime64(0, 3, 'UTC'), '')) AS ad_set_named,
  if(has({dimensions:Array(String)}, 'ad'), max((happened.start_time, happened.ad_name)),
    (toDateTime64(0, 3, 'UTC'), '')) AS ad_named,
  if(has({dimensions:Array(String)}, 'keyword'), max((happened.start_time, happened.keyword_name)),
    (toDateTime64(0, 3, 'UTC'), '')) AS keyword_named,
  CAST(map(part, count(), concat('users_of:', part), uniqExactIf(who, who != 0)), 'Map(String, Decimal(76, 18))')
    AS counted,
  CAST([], 'Array(String)') AS unconverted
FROM (
  SELECT
    campaign, network, partner, channel, ad_set, ad, keyword, platform, country, touch_type, app, rule, os_version,
    app_version, campaign_name, ad_set_name, ad_name, keyword_name, start_time, start_day, started, age,
    one.1 AS day, one.2 AS part, one.3 AS who, toInt32(one.1) - toInt32(start_day) AS day_n
  FROM journeys
  ARRAY JOIN arrayConcat(
    if(has({parts:Array(String)}, 'signups'), arrayMap(day -> (day, 'signups', toUInt128(0)), signup_days), []),
    if(has({parts:Array(String)}, 'uninstalls'),
      arrayMap(day -> (day, 'uninstalls', toUInt128(0)), uninstall_days), []),
    if(has({parts:Array(String)}, 'payments'),
      arrayMap(day -> (day, 'payments', toUInt128(0)),
        arrayFilter((day, is_refund) -> is_refund = 0, money_days, money_refunds)), []),
    if(has({parts:Array(String)}, 'active_users'),
      arrayMap(day -> (day, 'active_users', reinterpretAsUInt128(root_install)), seen_dates), []),
    if(empty({events:Array(String)}), [],
      arrayFilter(event -> has({events:Array(String)}, substring(event.2, 7)),
        arrayMap((day, name, user) -> (day, concat('event:', name), toUInt128(user)),
          event_days, event_names, event_users)))
  ) AS one
) AS happened
WHERE if(has({dimensions:Array(String)}, 'day_n'),
  started AND happened.day_n >= 0 AND happened.day_n <= 90 AND happened.day_n < age,
  happened.day BETWEEN {from:Date} AND {to:Date})
GROUP BY key, part
