-- name: spend
-- One row per campaign, and one per ad network with campaign_id 0: what was spent on the days from {from} to {to} in
-- the project's time zone, and in which currencies, up to two. total_… are those of the campaigns that match:
-- {networks}, where not empty, are the networks' codes; {search} matches any ID by which a row could show the campaign,
-- of a Meta campaign only its ID at the network. Table: adtrail.campaigns. View: adtrail.spend_by_campaign_day.
SELECT
  campaign_id, network,
  sum(amount) AS spend, groupUniqArray(2)(currency) AS currencies,
  sumIf(amount, matches) AS total_spend, groupUniqArrayIf(2)(currency, matches) AS total_currencies
FROM (
  SELECT
    campaign.campaign_id AS campaign_id, toString(campaign.network) AS network, spent.spend AS amount,
    toString(spent.currency) AS currency,
    (empty({networks:Array(String)}) OR campaign.network IN {networks:Array(String)})
      AND ({network_campaign_id:String} = '' OR has(campaign.keys, {network_campaign_id:String}))
      AND ({search:String} = '' OR arrayExists(
        key -> positionCaseInsensitiveUTF8(key, {search:String}) > 0,
        if(campaign.network = 'META', [campaign.network_campaign_id], campaign.keys))) AS matches
  FROM (
    SELECT campaign_id, spend, currency
    FROM adtrail.spend_by_campaign_day
    WHERE project_id = {project_id:UInt32} AND date BETWEEN {from:Date} AND {to:Date} AND network != ''
  ) AS spent
  JOIN (
    SELECT campaign_id, network, network_campaign_id, arrayConcat([network_campaign_id, display_id], utm_ids) AS keys
    FROM adtrail.campaigns FINAL
    WHERE project_id = {project_id:UInt32}
  ) AS campaign ON spent.campaign_id = campaign.campaign_id
)
GROUP BY GROUPING SETS ((campaign_id), (network));
