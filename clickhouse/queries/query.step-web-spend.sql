-- Step spend of web queries. One row per row of an ad network's spend that counts and campaign ID under which visits of
-- its campaign are shown: those by which it was visited, or else its ID at the network. By anything but campaigns each
-- is there once. Channels are meta and google; of other networks it is not known as which they are visited. View:
-- adtrail.counted_spend. Table: adtrail.campaigns. Step: touches. Functions: passes, touch_key_of, hit_key_of.
SELECT
  (
    touch_key_of(campaign, channel, '', '', network_campaign, ad_set, ad),
    hit_key_of('', '', '', '', '', '', '', '', date, 0)
  ) AS key,
  if(name != '', name, campaign) AS campaign_name, ad_set_name, ad_name, '' AS keyword_name, date, spend, currency,
  toUInt64(0) AS clicks, toUInt64(0) AS impressions, 0 AS has_own_clicks
FROM (
  SELECT
    spent.date AS date, spent.spend AS spend, CAST(spent.currency, 'String') AS currency, campaign.name AS name,
    if(spent.network IN ('META', 'GOOGLE'), lower(CAST(spent.network, 'String')), '') AS channel,
    campaign.network_campaign_id AS network_campaign, spent.ad_set_id AS ad_set, spent.ad_id AS ad,
    spent.ad_set_name AS ad_set_name, spent.ad_name AS ad_name,
    arrayFilter(id -> passes('campaign', id), if(empty(visited.ids), [campaign.network_campaign_id], visited.ids))
      AS shown
  FROM (
    SELECT campaign_id, date, network, ad_set_id, ad_id, ad_set_name, ad_name, spend, currency
    FROM adtrail.counted_spend
    WHERE project_id = {project_id:UInt32} AND scope = '' AND date BETWEEN {from:Date} AND {to:Date} AND network != ''
  ) AS spent
  INNER JOIN (
    SELECT campaign_id, name, network_campaign_id
    FROM adtrail.campaigns FINAL
    WHERE project_id = {project_id:UInt32}
  ) AS campaign ON spent.campaign_id = campaign.campaign_id
  LEFT JOIN (
    SELECT campaign_id, groupUniqArray(touches.campaign) AS ids
    FROM touches
    WHERE campaign_id != 0
    GROUP BY campaign_id
  ) AS visited ON spent.campaign_id = visited.campaign_id
)
ARRAY JOIN if(has({dimensions:Array(String)}, 'campaign'), shown, arraySlice(shown, 1, 1)) AS campaign
WHERE passes('campaign_name', campaign_name) AND passes('channel', channel)
  AND passes('network_campaign', network_campaign) AND passes('ad_set', ad_set) AND passes('ad', ad)
