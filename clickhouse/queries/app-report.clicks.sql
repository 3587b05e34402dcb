-- One row per campaign, ad set, ad or keyword that tracked clicks name: clicks by the day of the click in the project's
-- time zone. Table: adtrail.daily_clicks. Function: names_level.
SELECT
  campaign_id,
  if({level:String} = 'campaign', '', ad_set_id) AS ad_set,
  if({level:String} = 'ad', ad_id, '') AS ad,
  if({level:String} = 'keyword', keyword_id, '') AS keyword,
  sumIf(tracked, day BETWEEN {from:Date} AND {to:Date}) AS clicks,
  sumIf(tracked, day >= {active_from:Date}) AS recent_clicks
FROM (
  SELECT campaign_id, ad_set_id, ad_id, keyword_id, day, tracked
  FROM adtrail.daily_clicks FINAL
  ARRAY JOIN
    days AS day,
    platforms AS platform,
    ad_set_ids AS ad_set_id,
    ad_ids AS ad_id,
    keyword_ids AS keyword_id,
    clicks AS tracked
  WHERE project_id = {project_id:UInt32}
    AND campaign_id IN {campaigns:Array(UInt32)}
    AND ({platform:String} = '' OR platform = {platform:String})
    AND names_level(ad_set_id, ad_id, keyword_id)
)
GROUP BY campaign_id, ad_set, ad, keyword
