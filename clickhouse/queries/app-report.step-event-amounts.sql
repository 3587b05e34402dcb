-- Step amounts of app-report.event-amounts.sql. One row per level, what it groups by, event name, currency, and UTC day
-- whose exchange rate applies: the amounts that events carried, by their own day. Step: journeys.
-- Function: levels_of.
SELECT
  level, campaign_id,
  if(level = 'campaign', '', ad_set_part) AS ad_set,
  if(level = 'ad', ad_part, '') AS ad,
  if(level = 'keyword', keyword_part, '') AS keyword,
  priced_name AS name,
  priced_currency AS currency,
  -- The report's own currency needs no rate, so its days need not be told apart.
  if(priced_currency = {currency:String}, toDate(0), priced_utc_day) AS rate_day,
  {currency:String} AS own_currency,
  sum(priced_amount) AS amount
FROM (
  SELECT
    campaign_id, ad_set_part, ad_part, keyword_part, priced_name, priced_currency, priced_utc_day, priced_amount
  FROM journeys
  ARRAY JOIN
    priced_days AS priced_day,
    priced_utc_days AS priced_utc_day,
    priced_names AS priced_name,
    priced_currencies AS priced_currency,
    priced_amounts AS priced_amount
  WHERE priced_name IN {names:Array(String)} AND priced_day BETWEEN {from:Date} AND {to:Date}
)
ARRAY JOIN levels_of(ad_set_part, ad_part, keyword_part) AS level
GROUP BY level, campaign_id, ad_set, ad, keyword, name, currency, rate_day
