-- Step spend. One row per row of ad spend that counts, with what it is grouped by. By platform: the rows of each, and
-- those that name none. By keyword: the rows that name one, as received, which do not add up with the others. View:
-- adtrail.counted_spend. Table: adtrail.ad_spend. Step: campaigns. Functions: passes, key_of.
SELECT
  key_of(
    campaigns.campaign, campaigns.network, campaigns.partner, campaigns.channel, spent.ad_set_id, spent.ad_id,
    spent.keyword_id, spent.platform, '', '', '', '', '', '', spent.date, toUInt8(0), toDate(0), 0
  ) AS key,
  campaigns.campaign_name AS campaign_name, spent.ad_set_name AS ad_set_name, spent.ad_name AS ad_name,
  spent.keyword_name AS keyword_name, spent.date AS date, spent.spend AS spend, spent.currency AS currency,
  spent.clicks AS clicks, spent.impressions AS impressions, campaigns.has_own_clicks AS has_own_clicks
FROM (
  SELECT
    campaign_id, CAST(scope, 'String') AS platform, date, ad_set_id, ad_id, keyword_id, ad_set_name, ad_name,
    '' AS keyword_name, spend, CAST(currency, 'String') AS currency, clicks, impressions
  FROM adtrail.counted_spend
  WHERE project_id = {project_id:UInt32} AND date BETWEEN {from:Date} AND {to:Date}
    AND if({by_platform:Bool}, counted_spend.platform = scope, scope = '')
    AND NOT {by_keyword:Bool}
  UNION ALL
  SELECT
    campaign_id, CAST(ad_spend.platform, 'String'), date, ad_set_id, ad_id, keyword_id, ad_set_name, ad_name,
    keyword_name, spend, CAST(currency, 'String'), clicks, impressions
  FROM adtrail.ad_spend FINAL
  WHERE project_id = {project_id:UInt32} AND date BETWEEN {from:Date} AND {to:Date}
    AND {by_keyword:Bool} AND keyword_id != ''
) AS spent
INNER JOIN campaigns ON spent.campaign_id = campaigns.campaign_id
WHERE passes('ad_set', spent.ad_set_id) AND passes('ad', spent.ad_id) AND passes('keyword', spent.keyword_id)
  AND passes('platform', spent.platform)
