-- One row per level, and campaign, ad set, ad or keyword that tracked clicks name: clicks by the day of the click in
-- the project's time zone. Table: adtrail.daily_clicks. Function: levels_of.
SELECT
  level, campaign_id,
  if(level = 'campaign', '', ad_set_id) AS ad_set,
  if(level = 'ad', ad_id, '') AS ad,
  if(level = 'keyword', keyword_id, '') AS keyword,
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
)
ARRAY JOIN levels_of(ad_set_id, ad_id, keyword_id) AS level
GROUP BY level, campaign_id, ad_set, ad, keyword
