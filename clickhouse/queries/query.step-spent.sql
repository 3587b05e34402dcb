-- Of step amounts, beside query.step-money.sql. One row per group, currency, and day whose exchange rate applies: money
-- spent, and money spent on the days whose installs are of the cohort. Step: spend.
SELECT
  key, any(spend.campaign_name) AS campaign_name,
  max((toDateTime64(date, 3, 'UTC'), spend.ad_set_name)) AS ad_set_named,
  max((toDateTime64(date, 3, 'UTC'), spend.ad_name)) AS ad_named,
  max((toDateTime64(date, 3, 'UTC'), spend.keyword_name)) AS keyword_named,
  part, currency,
  -- The report's own currency needs no rate, so its days need not be told apart.
  if(currency = {currency:String}, toDate(0), date) AS rate_day,
  {currency:String} AS own_currency, sum(spend.spend) AS amount
FROM spend
ARRAY JOIN arrayFilter(one -> has({parts:Array(String)}, one)
  AND (one = 'spend' OR toInt32({today:Date}) - toInt32(date) > {cohort_day:UInt8}), ['spend', 'cohort_spend']) AS part
GROUP BY key, part, currency, rate_day
