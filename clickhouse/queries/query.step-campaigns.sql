-- Step campaigns. One row per campaign that passes the filters, deleted ones too, and one for what no campaign is
-- credited with. The network of a campaign is its code in lower case, of a partner's campaign the partner's; its
-- channel is its custom channel, else the network. Clicks of an ad network's own campaigns are the network's to
-- count. Table: adtrail.campaigns. Function: passes.
SELECT campaign_id, campaign, campaign_name, network, partner, channel, has_own_clicks
FROM (
  SELECT
    campaign_id, display_id AS campaign, name AS campaign_name, partner_name AS partner,
    if(known.network != '', lower(known.network), lower(replaceAll(partner_name, ' ', '_'))) AS network,
    if(custom_channel != '', CAST(custom_channel, 'String'), network) AS channel,
    known.network = '' OR network_campaign_id = '' OR web_to_app AS has_own_clicks
  FROM adtrail.campaigns AS known FINAL
  WHERE project_id = {project_id:UInt32}
  UNION ALL
  SELECT 0, 'organic', 'Organic', '', '', '', 1 WHERE {organic:Bool}
) AS all_campaigns
WHERE passes('campaign', campaign) AND passes('campaign_name', campaign_name) AND passes('network', network)
  AND passes('partner', partner) AND passes('channel', channel)
