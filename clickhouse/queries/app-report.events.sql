-- One row a campaign, ad set, ad or keyword and event name: how often it happened, by its own day, and to how many users.
SELECT
  campaign_id,
  if({level:String} = 'campaign', '', ad_set_id) AS ad_set,
  if({level:String} = 'ad', ad_id, '') AS ad,
  if({level:String} = 'keyword', keyword_id, '') AS keyword,
  event_name AS name,
  count() AS events,
  uniqExactIf(event_user, event_name IN {unique_names:Array(String)}) AS users
FROM (
  SELECT campaign_id, ad_set_id, ad_id, keyword_id, event_name, event_user
  FROM adtrail.journeys FINAL
  ARRAY JOIN event_days AS event_day, event_names AS event_name, event_users AS event_user
  WHERE project_id = {project_id:UInt32} AND report_view = {view:String} AND campaign_id IN {campaigns:Array(UInt32)} AND ({platform:String} = '' OR platform = {platform:String})
    AND ({level:String} NOT IN ('ad_set', 'ad') OR ad_set_id != '') AND ({level:String} != 'ad' OR ad_id != '') AND ({level:String} != 'keyword' OR keyword_id != '')
    AND event_name IN {names:Array(String)} AND event_day >= {from:Date} AND event_day <= {to:Date}
)
GROUP BY campaign_id, ad_set, ad, keyword, name
