-- Step network_campaigns. One row per campaign of a network that installs may name.
SELECT project_id, network, network_campaign_id, min(campaign_id) AS campaign_id
FROM adtrail.campaigns FINAL
WHERE network != '' AND network_campaign_id != '' AND deleted = 0
GROUP BY project_id, network, network_campaign_id
