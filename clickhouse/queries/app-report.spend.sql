-- One row a campaign, ad set, ad or keyword that spend rows name: money and clicks by day, each level summed once. The
-- parts of a campaign are there whatever their days. Money is converted at the rate of its day; what has no rate is left
-- out and its currency named.
WITH spent AS (
  SELECT
    campaign_id,
    if({level:String} = 'campaign', '', ad_set_id) AS ad_set,
    if({level:String} = 'ad', ad_id, '') AS ad,
    if({level:String} = 'keyword', keyword_id, '') AS keyword,
    argMax(ad_set_name, (ad_set_name != '', date, version)) AS ad_set_name_of,
    argMax(ad_name, (ad_name != '', date, version)) AS ad_name_of,
    argMax(keyword_name, (keyword_name != '', date, version)) AS keyword_name_of,
    max((date, version)) AS named_at,
    currency,
    if(currency = {currency:String}, toDate(0), date) AS day,
    {currency:String} AS own_currency,
    sumIf(spend, in_range) AS amount,
    sumIf(clicks, in_range) AS clicked,
    sumIf(clicks, date >= {active_from:Date}) AS recent,
    countIf(in_range) AS entries
  FROM (
    SELECT campaign_id, ad_set_id, ad_id, keyword_id, ad_set_name, ad_name, '' AS keyword_name, currency, date, spend, clicks, version, date >= {from:Date} AND date <= {to:Date} AS in_range
    FROM adtrail.counted_spend
    WHERE {level:String} != 'keyword' AND project_id = {project_id:UInt32} AND scope = {platform:String} AND campaign_id IN {campaigns:Array(UInt32)}
      AND ({level:String} = 'campaign' OR ad_set_id != '') AND ({level:String} != 'ad' OR ad_id != '')
    UNION ALL
    SELECT campaign_id, ad_set_id, ad_id, keyword_id, ad_set_name, ad_name, keyword_name, currency, date, spend, clicks, version, date >= {from:Date} AND date <= {to:Date} AS in_range
    FROM adtrail.ad_spend FINAL
    WHERE {level:String} = 'keyword' AND project_id = {project_id:UInt32} AND ({platform:String} = '' OR platform = {platform:String}) AND campaign_id IN {campaigns:Array(UInt32)}
      AND keyword_id != ''
  )
  GROUP BY campaign_id, ad_set, ad, keyword, currency, day
),
-- In USD, by what the project's own currency was worth: what is summed first is divided, and rounded, only once.
in_usd AS (
  SELECT campaign_id, ad_set, ad, keyword, own_usd,
    max((ad_set_name_of != '', named_at, ad_set_name_of)) AS latest_ad_set_name,
    max((ad_name_of != '', named_at, ad_name_of)) AS latest_ad_name,
    max((keyword_name_of != '', named_at, keyword_name_of)) AS latest_keyword_name,
    sum(toDecimal256(amount, 9) * usd) AS total,
    sum(clicked) AS clicked_times,
    sum(recent) AS recent_times,
    groupUniqArrayIf(toString(currency), entries > 0 AND (usd = 0 OR own_usd = 0)) AS unconverted_currencies
  FROM (
    SELECT campaign_id, ad_set, ad, keyword, ad_set_name_of, ad_name_of, keyword_name_of, named_at, amount, clicked, recent, entries, spent.currency AS currency,
      toDecimal256(if(spent.currency = spent.own_currency, 1, rate.usd), 18) AS usd,
      toDecimal256(if(spent.currency = spent.own_currency, 1, own.usd), 18) AS own_usd
    FROM spent
    ASOF LEFT JOIN adtrail.usd_rates AS rate ON spent.currency = rate.currency AND spent.day >= rate.date
    ASOF LEFT JOIN adtrail.usd_rates AS own ON spent.own_currency = own.currency AND spent.day >= own.date
  )
  GROUP BY campaign_id, ad_set, ad, keyword, own_usd
)
SELECT campaign_id, ad_set, ad, keyword,
  max(latest_ad_set_name).3 AS ad_set_name,
  max(latest_ad_name).3 AS ad_name,
  max(latest_keyword_name).3 AS keyword_name,
  toString(sum(if(own_usd = 0, toDecimal256(0, 27), total / if(own_usd = 0, toDecimal256(1, 18), own_usd)))) AS spend,
  sum(clicked_times) AS clicks,
  sum(recent_times) AS recent_clicks,
  groupUniqArrayArray(unconverted_currencies) AS unconverted
FROM in_usd
GROUP BY campaign_id, ad_set, ad, keyword
