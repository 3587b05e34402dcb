-- One row an ad network: the spend of its campaigns that match on the days from {from} to {to}, and in how many
-- currencies. {networks}, where not empty, are the networks' codes; {search} matches any ID by which a row could show the
-- campaign, of a Meta campaign the one ID of its row.
SELECT campaign.network AS network, sum(spend.spend) AS spend, groupUniqArray(2)(spend.currency) AS currencies
FROM (SELECT * FROM adtrail.spend_by_campaign_day WHERE project_id = {project_id:UInt32} AND date BETWEEN {from:Date} AND {to:Date} AND network != '') AS spend
JOIN (SELECT * FROM adtrail.campaigns FINAL WHERE project_id = {project_id:UInt32}) AS campaign ON spend.campaign_id = campaign.campaign_id
WHERE (empty({networks:Array(String)}) OR campaign.network IN {networks:Array(String)})
  AND ({network_campaign_id:String} = '' OR has(arrayConcat([campaign.network_campaign_id, campaign.display_id], campaign.utm_ids), {network_campaign_id:String}))
  AND (
    {search:String} = ''
    OR arrayExists(id -> positionCaseInsensitiveUTF8(id, {search:String}) > 0, if(campaign.network = 'META', [campaign.network_campaign_id], arrayConcat([campaign.network_campaign_id, campaign.display_id], campaign.utm_ids)))
  )
GROUP BY network
