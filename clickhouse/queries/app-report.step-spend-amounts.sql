-- Step amounts of app-report.spend.sql. One row per level, what it groups by, currency, and day whose exchange rate
-- applies: money and clicks by the day of the spend. The parts of a campaign are there whatever their days. A name is
-- that of the latest day, and there the last received. Step: spend.
SELECT
  level, campaign_id,
  if(level = 'campaign', '', ad_set_id) AS ad_set,
  if(level = 'ad', ad_id, '') AS ad,
  if(level = 'keyword', keyword_id, '') AS keyword,
  currency,
  -- The report's own currency needs no rate, so its days need not be told apart.
  if(currency = {currency:String}, toDate(0), date) AS rate_day,
  {currency:String} AS own_currency,
  argMaxIf(rows.ad_set_name, (date, version), rows.ad_set_name != '') AS ad_set_name,
  maxIf((date, version), rows.ad_set_name != '') AS ad_set_named_at,
  argMaxIf(rows.ad_name, (date, version), rows.ad_name != '') AS ad_name,
  maxIf((date, version), rows.ad_name != '') AS ad_named_at,
  argMaxIf(rows.keyword_name, (date, version), rows.keyword_name != '') AS keyword_name,
  maxIf((date, version), rows.keyword_name != '') AS keyword_named_at,
  countIf(in_range) AS entries,
  sumIf(spend, in_range) AS amount,
  sumIf(rows.clicks, in_range) AS clicks,
  sumIf(rows.clicks, date >= {active_from:Date}) AS recent_clicks
FROM spend AS rows
GROUP BY level, campaign_id, ad_set, ad, keyword, currency, rate_day
