-- Of step amounts. One row per group, kind of money, currency, and UTC day whose exchange rate applies: payments less
-- refunds and amounts of events by their own day; revenue of those that began in the range and whose day {cohort_day}
-- has ended, up to each of {cohort_days} after. Step: journeys. Function: key_of.
SELECT
  key_of(
    campaign, network, partner, channel, ad_set, ad, keyword, platform, touch_type, app, rule, os_version, app_version,
    paid.day, toUInt8(0), start_day, paid.day_n
  ) AS key,
  any(paid.campaign_name) AS campaign_name,
  max((paid.start_time, paid.ad_set_name)) AS ad_set_named,
  max((paid.start_time, paid.ad_name)) AS ad_named,
  max((paid.start_time, paid.keyword_name)) AS keyword_named,
  part,
  paid.currency AS currency,
  -- The report's own currency needs no rate, so its days need not be told apart.
  if(paid.currency = {currency:String}, toDate(0), utc_day) AS rate_day,
  {currency:String} AS own_currency,
  sum(paid.amount) AS amount
FROM (
  SELECT
    campaign, network, partner, channel, ad_set, ad, keyword, platform, touch_type, app, rule, os_version, app_version,
    campaign_name, ad_set_name, ad_name, keyword_name, start_time, start_day, started, age,
    one.1 AS day, one.2 AS utc_day, one.3 AS part, one.4 AS currency, one.5 AS amount,
    toInt32(one.1) - toInt32(start_day) AS day_n, one.6 AS is_of_cohort
  FROM journeys
  ARRAY JOIN arrayConcat(
    if(has({parts:Array(String)}, 'revenue'),
      arrayMap((day, utc_day, currency, amount) -> (day, utc_day, 'revenue', CAST(currency, 'String'), amount, 0),
        money_days, money_utc_days, money_currencies, money_amounts), []),
    if(empty({priced_events:Array(String)}), [],
      arrayMap((day, utc_day, name, currency, amount) ->
        (day, utc_day, concat('amount:', name), CAST(currency, 'String'), amount, 0),
        priced_days, priced_utc_days, priced_names, priced_currencies, priced_amounts)),
    -- By the day of the start, whose cohort it is.
    if(empty({cohort_days:Array(UInt8)}) OR NOT started OR age <= {cohort_day:UInt8}, [],
      arrayFlatten(arrayMap(n ->
        arrayMap((day, utc_day, currency, amount) ->
          (start_day, utc_day, concat('revenue_', toString(n)), CAST(currency, 'String'), amount, 1),
          arrayFilter(day -> day <= start_day + n, money_days),
          arrayFilter((utc_day, day) -> day <= start_day + n, money_utc_days, money_days),
          arrayFilter((currency, day) -> day <= start_day + n, money_currencies, money_days),
          arrayFilter((amount, day) -> day <= start_day + n, money_amounts, money_days)),
        {cohort_days:Array(UInt8)})))
  ) AS one
) AS paid
WHERE (part NOT LIKE 'amount:%' OR has({priced_events:Array(String)}, substring(part, 8)))
  AND (is_of_cohort OR if(has({dimensions:Array(String)}, 'day_n'),
    started AND paid.day_n >= 0 AND paid.day_n <= 90 AND paid.day_n < age,
    paid.day BETWEEN {from:Date} AND {to:Date}))
GROUP BY key, part, currency, rate_day
