-- One row per level, and campaign, ad set, ad or keyword that ad spend names: its names, money in the report's
-- currency, and clicks that the ad network counted, by the day of the spend in the project's time zone. `unconverted`
-- has the currencies that were left out because they have no rate. Step: priced, of app-report.step-spend-amounts.sql.
SELECT
  level, campaign_id, ad_set, ad, keyword,
  argMax(in_usd.ad_set_name, (ad_set_named_at, in_usd.ad_set_name)) AS ad_set_name,
  argMax(in_usd.ad_name, (ad_named_at, in_usd.ad_name)) AS ad_name,
  argMax(in_usd.keyword_name, (keyword_named_at, in_usd.keyword_name)) AS keyword_name,
  toString(sum(usd_amount / report_usd)) AS spend,
  sum(in_usd.clicks) AS clicks,
  sum(in_usd.recent_clicks) AS recent_clicks,
  groupUniqArrayArray(in_usd.unconverted) AS unconverted
FROM (
  -- What one rate of the report's currency divides is summed first, so that it is divided, and rounded, only once.
  SELECT
    level, campaign_id, ad_set, ad, keyword, report_usd,
    argMax(priced.ad_set_name, (priced.ad_set_named_at, priced.ad_set_name)) AS ad_set_name,
    argMax(priced.ad_name, (priced.ad_named_at, priced.ad_name)) AS ad_name,
    argMax(priced.keyword_name, (priced.keyword_named_at, priced.keyword_name)) AS keyword_name,
    max(priced.ad_set_named_at) AS ad_set_named_at,
    max(priced.ad_named_at) AS ad_named_at,
    max(priced.keyword_named_at) AS keyword_named_at,
    sum(amount * usd) AS usd_amount,
    sum(priced.clicks) AS clicks,
    sum(priced.recent_clicks) AS recent_clicks,
    groupUniqArrayIf(toString(currency), entries > 0 AND NOT has_rate) AS unconverted
  FROM priced
  GROUP BY level, campaign_id, ad_set, ad, keyword, report_usd
) AS in_usd
GROUP BY level, campaign_id, ad_set, ad, keyword
