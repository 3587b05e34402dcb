-- Step campaign_keys. One row per key of a campaign of the project: its display ID, its ID at the ad network, or a utm_id
-- that means it. Of several campaigns with one key, the one whose key comes first in this order counts, then the oldest.
-- merged_id is the ID under which touches of a Meta campaign are shown, whatever their key. Table: adtrail.web_campaigns.
SELECT
  key,
  argMin(keyed.campaign_id, precedence) AS campaign_id,
  argMin(keyed.name, precedence) AS name,
  argMin(keyed.network, precedence) AS network,
  argMin(if(keyed.network = 'META', keyed.network_campaign_id, ''), precedence) AS merged_id
FROM (
  SELECT campaign_id, name, network, network_campaign_id, key, (place, campaign_id) AS precedence
  FROM (
    SELECT campaign_id, name, network, network_campaign_id,
      arrayConcat([display_id, network_campaign_id], utm_ids) AS keys
    FROM adtrail.web_campaigns FINAL
    WHERE project_id = {project_id:UInt32} AND NOT deleted
  )
  ARRAY JOIN keys AS key, arrayEnumerate(keys) AS place
  WHERE key != ''
) AS keyed
GROUP BY key
