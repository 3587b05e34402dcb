-- One row a campaign, ad set, ad or keyword and, where they are asked for, revenue type: payments, and five sums of money
-- less refunds: what came in by its own day, and the revenue of the journeys that began in the range up to day 0, 3, 7
-- and 30 after, of those alone whose day has ended. Each amount is converted at the rate of its own UTC day; what has no
-- rate is left out and its currency named.
WITH paid AS (
  SELECT
    campaign_id,
    if({level:String} = 'campaign', '', ad_set_id) AS ad_set,
    if({level:String} = 'ad', ad_id, '') AS ad,
    if({level:String} = 'keyword', keyword_id, '') AS keyword,
    if({by_type:Bool}, money_type, '') AS type,
    money_currency AS currency,
    -- The project's own currency needs no rate, so its days need not be told apart.
    if(money_currency = {currency:String}, toDate(0), money_utc_day) AS utc_day,
    {currency:String} AS own_currency,
    countIf(in_range AND money_refund = 0) AS payments,
    countIf(in_range OR (started AND age > 0 AND offset <= 30)) AS entries,
    sumIf(money_amount, in_range) AS amount,
    sumIf(money_amount, started AND age > 0 AND offset <= 0) AS amount_0,
    sumIf(money_amount, started AND age > 3 AND offset <= 3) AS amount_3,
    sumIf(money_amount, started AND age > 7 AND offset <= 7) AS amount_7,
    sumIf(money_amount, started AND age > 30 AND offset <= 30) AS amount_30
  FROM (
    SELECT campaign_id, ad_set_id, ad_id, keyword_id, money_type, money_currency, money_utc_day, money_amount, money_refund,
      money_day >= {from:Date} AND money_day <= {to:Date} AS in_range,
      start_day >= {from:Date} AND start_day <= {to:Date} AS started,
      toInt32({today:Date}) - toInt32(start_day) AS age,
      toInt32(money_day) - toInt32(start_day) AS offset
    FROM adtrail.journeys FINAL
    ARRAY JOIN money_days AS money_day, money_utc_days AS money_utc_day, money_types AS money_type, money_currencies AS money_currency, money_amounts AS money_amount, money_refunds AS money_refund
    WHERE project_id = {project_id:UInt32} AND report_view = {view:String} AND campaign_id IN {campaigns:Array(UInt32)} AND ({platform:String} = '' OR platform = {platform:String})
      AND ({level:String} NOT IN ('ad_set', 'ad') OR ad_set_id != '') AND ({level:String} != 'ad' OR ad_id != '') AND ({level:String} != 'keyword' OR keyword_id != '')
      AND (NOT {by_type:Bool} OR money_type IN {types:Array(String)})
  )
  GROUP BY campaign_id, ad_set, ad, keyword, type, currency, utc_day
),
-- In USD, by what the project's own currency was worth: what is summed first is divided, and rounded, only once.
in_usd AS (
  SELECT campaign_id, ad_set, ad, keyword, type, own_usd,
    sum(payments) AS paid_times,
    sum(toDecimal256(amount, 9) * usd) AS total,
    sum(toDecimal256(amount_0, 9) * usd) AS total_0,
    sum(toDecimal256(amount_3, 9) * usd) AS total_3,
    sum(toDecimal256(amount_7, 9) * usd) AS total_7,
    sum(toDecimal256(amount_30, 9) * usd) AS total_30,
    groupUniqArrayIf(toString(currency), entries > 0 AND (usd = 0 OR own_usd = 0)) AS unconverted_currencies
  FROM (
    SELECT campaign_id, ad_set, ad, keyword, type, payments, entries, amount, amount_0, amount_3, amount_7, amount_30, paid.currency AS currency,
      toDecimal256(if(paid.currency = paid.own_currency, 1, rate.usd), 18) AS usd,
      toDecimal256(if(paid.currency = paid.own_currency, 1, own.usd), 18) AS own_usd
    FROM paid
    ASOF LEFT JOIN adtrail.usd_rates AS rate ON paid.currency = rate.currency AND paid.utc_day >= rate.date
    ASOF LEFT JOIN adtrail.usd_rates AS own ON paid.own_currency = own.currency AND paid.utc_day >= own.date
  )
  GROUP BY campaign_id, ad_set, ad, keyword, type, own_usd
)
SELECT campaign_id, ad_set, ad, keyword, type,
  sum(paid_times) AS payments,
  [toString(sum(if(own_usd = 0, zero, total / divisor))), toString(sum(if(own_usd = 0, zero, total_0 / divisor))), toString(sum(if(own_usd = 0, zero, total_3 / divisor))),
    toString(sum(if(own_usd = 0, zero, total_7 / divisor))), toString(sum(if(own_usd = 0, zero, total_30 / divisor)))] AS amounts,
  groupUniqArrayArray(unconverted_currencies) AS unconverted
FROM (SELECT *, if(own_usd = 0, toDecimal256(1, 18), own_usd) AS divisor, toDecimal256(0, 27) AS zero FROM in_usd)
GROUP BY campaign_id, ad_set, ad, keyword, type
