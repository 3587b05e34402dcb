-- Step spend. One row per row of ad spend and level that it counts at. A campaign, ad set or ad has each amount once; a
-- keyword has the rows that name it, as received, and is not summed with the other levels. Days are those of the
-- project's time zone. View: adtrail.counted_spend. Table: adtrail.ad_spend. Function: levels_of.
SELECT
  level, campaign_id, ad_set_id, ad_id, keyword_id, ad_set_name, ad_name, '' AS keyword_name, date, spend,
  currency, clicks, version, date BETWEEN {from:Date} AND {to:Date} AS in_range
FROM adtrail.counted_spend
ARRAY JOIN arrayFilter(one -> one != 'keyword', levels_of(ad_set_id, ad_id, keyword_id)) AS level
WHERE project_id = {project_id:UInt32}
  AND campaign_id IN {campaigns:Array(UInt32)}
  AND scope = {platform:String}
UNION ALL
SELECT
  'keyword', campaign_id, ad_set_id, ad_id, keyword_id, ad_set_name, ad_name, keyword_name, date, spend,
  currency, clicks, version, date BETWEEN {from:Date} AND {to:Date}
FROM adtrail.ad_spend FINAL
WHERE has({levels:Array(String)}, 'keyword')
  AND project_id = {project_id:UInt32}
  AND campaign_id IN {campaigns:Array(UInt32)}
  AND ({platform:String} = '' OR platform = {platform:String})
  AND keyword_id != ''
