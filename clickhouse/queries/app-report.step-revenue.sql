-- Step amounts of app-report.revenue.sql. One row per level, what it groups by, revenue type where types are asked for,
-- currency, and UTC day whose exchange rate applies. Payments less refunds: by their own day, and of the journeys that
-- began in the range up to day 0, 3, 7 and 30 after. Step: journeys. Function: levels_of.
SELECT
  level, campaign_id,
  if(level = 'campaign', '', ad_set_part) AS ad_set,
  if(level = 'ad', ad_part, '') AS ad,
  if(level = 'keyword', keyword_part, '') AS keyword,
  if({by_type:Bool}, money_type, '') AS type,
  money_currency AS currency,
  -- The report's own currency needs no rate, so its days need not be told apart.
  if(money_currency = {currency:String}, toDate(0), money_utc_day) AS rate_day,
  {currency:String} AS own_currency,
  countIf(in_range AND money_refund = 0) AS payments,
  countIf(in_range OR (started AND age > 0 AND money_age <= 30)) AS entries,
  sumIf(money_amount, in_range) AS amount,
  sumIf(money_amount, started AND age > 0 AND money_age <= 0) AS cohort_0,
  sumIf(money_amount, started AND age > 3 AND money_age <= 3) AS cohort_3,
  sumIf(money_amount, started AND age > 7 AND money_age <= 7) AS cohort_7,
  sumIf(money_amount, started AND age > 30 AND money_age <= 30) AS cohort_30
FROM (
  SELECT
    campaign_id, ad_set_part, ad_part, keyword_part, started, age,
    money_type, money_currency, money_utc_day, money_amount, money_refund,
    money_day BETWEEN {from:Date} AND {to:Date} AS in_range,
    toInt32(money_day) - toInt32(start_day) AS money_age
  FROM journeys
  ARRAY JOIN
    money_days AS money_day,
    money_utc_days AS money_utc_day,
    money_types AS money_type,
    money_currencies AS money_currency,
    money_amounts AS money_amount,
    money_refunds AS money_refund
  WHERE NOT {by_type:Bool} OR money_type IN {types:Array(String)}
)
ARRAY JOIN levels_of(ad_set_part, ad_part, keyword_part) AS level
GROUP BY level, campaign_id, ad_set, ad, keyword, type, currency, rate_day
