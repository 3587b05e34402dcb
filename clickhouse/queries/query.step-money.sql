-- Of step amounts. One row per group, kind of money, currency, and UTC day whose exchange rate applies: payments less
-- refunds and amounts of events by their own day; revenue of those that began in the range and whose day {cohort_day}
-- has ended, up to each of {cohort_days} after. Of the latter an amount is summed once, by the least of those days that
-- it counts for, before it is counted for all of them. Step: journeys. Function: key_of.
SELECT
  key, campaign_name, ad_set_named, ad_named, keyword_named, part, currency, rate_day,
  {currency:String} AS own_currency, amount
FROM (
  SELECT
    key_of(
      campaign, network, partner, channel, ad_set, ad, keyword, platform, country, touch_type, app, rule, os_version,
      app_version, paid.day, toUInt8(0), start_day, paid.day_n
    ) AS key,
    any(paid.campaign_name) AS campaign_name,
    if(has({dimensions:Array(String)}, 'ad_set'), max((paid.start_time, paid.ad_set_name)),
      (toDateTime64(0, 3, 'UTC'), '')) AS ad_set_named,
    if(has({dimensions:Array(String)}, 'ad'), max((paid.start_time, paid.ad_name)),
      (toDateTime64(0, 3, 'UTC'), '')) AS ad_named,
    if(has({dimensions:Array(String)}, 'keyword'), max((paid.start_time, paid.keyword_name)),
      (toDateTime64(0, 3, 'UTC'), '')) AS keyword_named,
    paid.kind AS kind, paid.least_n AS least_n,
    paid.currency AS currency,
    -- The report's own currency needs no rate, so its days need not be told apart.
    if(paid.currency = {currency:String}, toDate(0), utc_day) AS rate_day,
    sum(paid.amount) AS amount
  FROM (
    SELECT
      campaign, network, partner, channel, ad_set, ad, keyword, platform, country, touch_type, app, rule, os_version,
      app_version, campaign_name, ad_set_name, ad_name, keyword_name, start_time, start_day, started, age,
      one.1 AS day, one.2 AS utc_day, one.3 AS kind, one.4 AS currency, one.5 AS amount,
      toInt32(one.1) - toInt32(start_day) AS day_n, one.6 AS least_n
    FROM journeys
    ARRAY JOIN arrayConcat(
      if(has({parts:Array(String)}, 'revenue'),
        arrayMap((day, utc_day, currency, amount) ->
          (day, utc_day, 'revenue', CAST(currency, 'String'), amount, toUInt8(0)),
          money_days, money_utc_days, money_currencies, money_amounts), []),
      if(empty({priced_events:Array(String)}), [],
        arrayFilter(one -> has({priced_events:Array(String)}, substring(one.3, 8)),
          arrayMap((day, utc_day, name, currency, amount) ->
            (day, utc_day, concat('amount:', name), CAST(currency, 'String'), amount, toUInt8(0)),
            priced_days, priced_utc_days, priced_names, priced_currencies, priced_amounts))),
      -- By the day of the start, whose cohort it is.
      if(empty({cohort_days:Array(UInt8)}) OR NOT started OR age <= {cohort_day:UInt8}, [],
        arrayMap((day, utc_day, currency, amount) ->
          (start_day, utc_day, 'cohort', CAST(currency, 'String'), amount,
            arrayFirst(n -> day <= start_day + n, {cohort_days:Array(UInt8)})),
          arrayFilter(day -> day <= start_day + {cohort_day:UInt8}, money_days),
          arrayFilter((utc_day, day) -> day <= start_day + {cohort_day:UInt8}, money_utc_days, money_days),
          arrayFilter((currency, day) -> day <= start_day + {cohort_day:UInt8}, money_currencies, money_days),
          arrayFilter((amount, day) -> day <= start_day + {cohort_day:UInt8}, money_amounts, money_days)))
    ) AS one
  ) AS paid
  WHERE kind = 'cohort' OR if(has({dimensions:Array(String)}, 'day_n'),
    started AND paid.day_n >= 0 AND paid.day_n <= 90 AND paid.day_n < age,
    paid.day BETWEEN {from:Date} AND {to:Date})
  GROUP BY key, kind, least_n, currency, rate_day
)
ARRAY JOIN if(kind = 'cohort',
  arrayMap(n -> concat('revenue_', toString(n)), arrayFilter(n -> n >= least_n, {cohort_days:Array(UInt8)})), [kind])
  AS part
