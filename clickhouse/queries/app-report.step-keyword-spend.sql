-- Step spend for keywords. One row per row of ad spend that names a keyword, as received: the other levels of the spend
-- are not summed with it. Days are those of the project's time zone. Table: adtrail.ad_spend. Function: names_level.
SELECT
  campaign_id, ad_set_id, ad_id, keyword_id, ad_set_name, ad_name, keyword_name, date, spend, currency,
  clicks, version, date BETWEEN {from:Date} AND {to:Date} AS in_range
FROM adtrail.ad_spend FINAL
WHERE project_id = {project_id:UInt32}
  AND campaign_id IN {campaigns:Array(UInt32)}
  AND ({platform:String} = '' OR platform = {platform:String})
  AND names_level(ad_set_id, ad_id, keyword_id)
