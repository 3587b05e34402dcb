-- Step campaign_keys. One row per key of a campaign of the project: its display ID, its ID at the ad network, or a
-- utm_id that means it. Of several campaigns with one key, the one whose key comes first in this order counts, then the
-- oldest. merged_id is the ID under which touches of a Meta campaign are shown, whatever their key. Table:
-- adtrail.campaigns.
SELECT
  key,
  argMin(campaign.campaign_id, (place, campaign.campaign_id) AS precedence) AS campaign_id,
  argMin(campaign.name, precedence) AS name,
  argMin(campaign.network, precedence) AS network,
  argMin(if(campaign.network = 'META', campaign.network_campaign_id, ''), precedence) AS merged_id
FROM (
  SELECT campaign_id, name, network, network_campaign_id,
    arrayConcat([display_id, network_campaign_id], utm_ids) AS keys
  FROM adtrail.campaigns FINAL
  WHERE project_id = {project_id:UInt32} AND NOT deleted
) AS campaign
ARRAY JOIN keys AS key, arrayEnumerate(keys) AS place
WHERE key != ''
GROUP BY key
