-- Of step facts. One row per group: what ad networks counted. Step: spend.
SELECT
  key, any(spend.campaign_name) AS campaign_name,
  max((toDateTime64(date, 3, 'UTC'), spend.ad_set_name)) AS ad_set_named,
  max((toDateTime64(date, 3, 'UTC'), spend.ad_name)) AS ad_named,
  max((toDateTime64(date, 3, 'UTC'), spend.keyword_name)) AS keyword_named,
  CAST(map('impressions', sum(spend.impressions), 'clicks', sumIf(spend.clicks, NOT has_own_clicks)),
    'Map(String, Decimal(76, 18))') AS counted,
  CAST([], 'Array(String)') AS unconverted
FROM spend
GROUP BY key
