-- Step touches. One row per touch that passes the filters, direct visits as touch 0: the ID of the row that it counts
-- to, as the grouping says, and the campaign that its key means. An empty ID is the row of what has no key. `row` is a
-- number for that ID, never 0. Table: adtrail.web_touches. Step: campaign_keys.
SELECT
  touch, source, all_touches.key AS key, campaign_keys.campaign_id AS campaign_id, campaign_keys.merged_id AS merged_id,
  multiIf(
    {group_by:String} = 'channel', toString(channel),
    {group_by:String} = 'source', toString(source),
    {group_by:String} = 'network_campaign', network_campaign_id,
    {group_by:String} = 'ad_set', ad_set_id,
    {group_by:String} = 'ad', ad_id,
    campaign_keys.merged_id != '', campaign_keys.merged_id,
    all_touches.key) AS id,
  sipHash64(id, 'row') AS row
FROM (
  SELECT touch, channel, source, if(utm_id != '', utm_id, utm_campaign) AS key, utm_source, utm_medium, utm_campaign,
    utm_id, utm_content, utm_term, network_campaign_id, ad_set_id, ad_id
  FROM adtrail.web_touches FINAL
  WHERE project_id = {project_id:UInt32}
  UNION ALL
  SELECT 0, 'direct', '', '', '', '', '', '', '', '', '', '', ''
) AS all_touches
LEFT JOIN campaign_keys ON all_touches.key = campaign_keys.key
WHERE ({channel:String} = '' OR channel = {channel:String})
  AND ({source:String} = '' OR source = {source:String})
  AND ({utm_source:String} = '' OR utm_source = {utm_source:String})
  AND ({utm_medium:String} = '' OR utm_medium = {utm_medium:String})
  AND ({utm_campaign:String} = '' OR utm_campaign = {utm_campaign:String})
  AND ({utm_id:String} = '' OR utm_id = {utm_id:String})
  AND ({utm_content:String} = '' OR utm_content = {utm_content:String})
  AND ({utm_term:String} = '' OR utm_term = {utm_term:String})
  AND ({network_campaign_id:String} = '' OR network_campaign_id = {network_campaign_id:String})
  AND ({ad_set_id:String} = '' OR ad_set_id = {ad_set_id:String})
  AND ({search:String} = '' OR positionCaseInsensitiveUTF8(id, {search:String}) > 0)
