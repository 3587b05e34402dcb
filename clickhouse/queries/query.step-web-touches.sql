-- Step touches of web queries. One row per touch that passes the filters, direct visits as touch 0: what it says, the
-- campaign that its key means, and what it is grouped by, with a number for that, never 0. `campaign` is the ID that
-- the web report shows. Table: adtrail.web_touches. Step: campaign_keys. Functions: passes, touch_key_of.
SELECT
  touch, campaign_id, campaign, campaign_name,
  touch_key_of(campaign, channel, source, medium, network_campaign, ad_set, ad) AS touch_key,
  greatest(1, sipHash64(touch_key)) AS row
FROM (
  SELECT
    touch, campaign_keys.campaign_id AS campaign_id,
    if(campaign_keys.merged_id != '', campaign_keys.merged_id, all_touches.key) AS campaign,
    if(campaign_keys.name != '', campaign_keys.name, campaign) AS campaign_name,
    channel, source, medium, network_campaign, ad_set, ad
  FROM (
    SELECT
      touch, if(utm_id != '', utm_id, utm_campaign) AS key, CAST(channel, 'String') AS channel,
      CAST(source, 'String') AS source, utm_medium AS medium, network_campaign_id AS network_campaign,
      ad_set_id AS ad_set, ad_id AS ad
    FROM adtrail.web_touches FINAL
    WHERE project_id = {project_id:UInt32}
    UNION ALL
    SELECT 0, '', 'direct', '', '', '', '', ''
  ) AS all_touches
  LEFT JOIN campaign_keys ON all_touches.key = campaign_keys.key
)
WHERE passes('campaign', campaign) AND passes('campaign_name', campaign_name) AND passes('channel', channel)
  AND passes('source', source) AND passes('medium', medium) AND passes('network_campaign', network_campaign)
  AND passes('ad_set', ad_set) AND passes('ad', ad)
