-- One row a campaign, ad set, ad or keyword and event name: the amounts that its occurrences carried, by their own day,
-- each converted at the rate of its own UTC day; what has no rate is left out and its currency named.
WITH priced AS (
  SELECT
    campaign_id,
    if({level:String} = 'campaign', '', ad_set_id) AS ad_set,
    if({level:String} = 'ad', ad_id, '') AS ad,
    if({level:String} = 'keyword', keyword_id, '') AS keyword,
    priced_name AS name,
    priced_currency AS currency,
    if(priced_currency = {currency:String}, toDate(0), priced_utc_day) AS utc_day,
    {currency:String} AS own_currency,
    sum(priced_amount) AS amount
  FROM (
    SELECT campaign_id, ad_set_id, ad_id, keyword_id, priced_name, priced_currency, priced_utc_day, priced_amount
    FROM adtrail.journeys FINAL
    ARRAY JOIN priced_days AS priced_day, priced_utc_days AS priced_utc_day, priced_names AS priced_name, priced_currencies AS priced_currency, priced_amounts AS priced_amount
    WHERE project_id = {project_id:UInt32} AND report_view = {view:String} AND campaign_id IN {campaigns:Array(UInt32)} AND ({platform:String} = '' OR platform = {platform:String})
      AND ({level:String} NOT IN ('ad_set', 'ad') OR ad_set_id != '') AND ({level:String} != 'ad' OR ad_id != '') AND ({level:String} != 'keyword' OR keyword_id != '')
      AND priced_name IN {names:Array(String)} AND priced_day >= {from:Date} AND priced_day <= {to:Date}
  )
  GROUP BY campaign_id, ad_set, ad, keyword, name, currency, utc_day
),
-- In USD, by what the project's own currency was worth: what is summed first is divided, and rounded, only once.
in_usd AS (
  SELECT campaign_id, ad_set, ad, keyword, name, own_usd,
    sum(toDecimal256(amount, 9) * usd) AS total,
    groupUniqArrayIf(toString(currency), usd = 0 OR own_usd = 0) AS unconverted_currencies
  FROM (
    SELECT campaign_id, ad_set, ad, keyword, name, amount, priced.currency AS currency,
      toDecimal256(if(priced.currency = priced.own_currency, 1, rate.usd), 18) AS usd,
      toDecimal256(if(priced.currency = priced.own_currency, 1, own.usd), 18) AS own_usd
    FROM priced
    ASOF LEFT JOIN adtrail.usd_rates AS rate ON priced.currency = rate.currency AND priced.utc_day >= rate.date
    ASOF LEFT JOIN adtrail.usd_rates AS own ON priced.own_currency = own.currency AND priced.utc_day >= own.date
  )
  GROUP BY campaign_id, ad_set, ad, keyword, name, own_usd
)
SELECT campaign_id, ad_set, ad, keyword, name,
  toString(sum(if(own_usd = 0, toDecimal256(0, 27), total / if(own_usd = 0, toDecimal256(1, 18), own_usd)))) AS amount,
  groupUniqArrayArray(unconverted_currencies) AS unconverted
FROM in_usd
GROUP BY campaign_id, ad_set, ad, keyword, name
