-- Step spend for campaigns, ad sets and ads. One row per row of ad spend that counts and names what the level is about:
-- each amount is there once. Days are those of the project's time zone. View: adtrail.counted_spend. Function:
-- names_level.
SELECT
  campaign_id, ad_set_id, ad_id, keyword_id, ad_set_name, ad_name, '' AS keyword_name, date, spend, currency,
  clicks, version, date BETWEEN {from:Date} AND {to:Date} AS in_range
FROM adtrail.counted_spend
WHERE project_id = {project_id:UInt32}
  AND campaign_id IN {campaigns:Array(UInt32)}
  AND scope = {platform:String}
  AND names_level(ad_set_id, ad_id, keyword_id)
