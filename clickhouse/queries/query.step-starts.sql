-- Of step facts. One row per group: journeys that began in the range, and of how many of them it is known whether they
-- came back. By days since the start each of them counts on every day that has ended. Step: journeys. Function: key_of.
SELECT
  key_of(
    campaign, network, partner, channel, ad_set, ad, keyword, platform, country, touch_type, app, rule, os_version,
    app_version, start_day, start_hour, start_day, day_n
  ) AS key,
  any(journeys.campaign_name) AS campaign_name,
  if(has({dimensions:Array(String)}, 'ad_set'), max((toDateTime64(start_time, 3, 'UTC'), journeys.ad_set_name)),
    (toDateTime64(0, 3, 'UTC'), '')) AS ad_set_named,
  if(has({dimensions:Array(String)}, 'ad'), max((toDateTime64(start_time, 3, 'UTC'), journeys.ad_name)),
    (toDateTime64(0, 3, 'UTC'), '')) AS ad_named,
  if(has({dimensions:Array(String)}, 'keyword'), max((toDateTime64(start_time, 3, 'UTC'), journeys.keyword_name)),
    (toDateTime64(0, 3, 'UTC'), '')) AS keyword_named,
  CAST(mapConcat(
    map(
      'starts', count(),
      'installs', countIf(kind = 'install'),
      'reinstalls', countIf(kind = 'reinstall'),
      'reengagements', countIf(kind = 'reengagement'),
      'click_through', countIf(touch_type = 'click'),
      'view_through', countIf(touch_type IN ('impression', 'ctv_impression')),
      'suspicious', countIf(suspicious),
      'cohort', countIf(age > {cohort_day:UInt8})
    ),
    mapFromArrays(arrayMap(n -> concat('mature_', toString(n)), {retention_days:Array(UInt8)}),
      sumForEach(arrayMap(n -> toUInt64(age > n), {retention_days:Array(UInt8)}))),
    mapFromArrays(arrayMap(n -> concat('retained_', toString(n)), {retention_days:Array(UInt8)}),
      sumForEach(arrayMap(n -> toUInt64(age > n
        AND arrayExists(day -> day > start_day AND day <= start_day + n, active_dates)),
        {retention_days:Array(UInt8)}))),
    mapFromArrays(arrayMap(n -> concat('classic_', toString(n)), {retention_days:Array(UInt8)}),
      sumForEach(arrayMap(n -> toUInt64(age > n AND has(active_dates, start_day + n)), {retention_days:Array(UInt8)}))),
    mapFromArrays(arrayMap(n -> concat('rolling_', toString(n)), {retention_days:Array(UInt8)}),
      sumForEach(arrayMap(n -> toUInt64(age > n AND last_active_day >= n), {retention_days:Array(UInt8)})))
  ), 'Map(String, Decimal(76, 18))') AS counted,
  CAST([], 'Array(String)') AS unconverted
FROM journeys
ARRAY JOIN if(has({dimensions:Array(String)}, 'day_n'), range(toUInt16(greatest(0, least(91, age)))), [toUInt16(0)])
  AS day_n
WHERE started
GROUP BY key
