-- One row per campaign of an ad network that installs of run {run_id} name in their attribution.
SELECT
  project_id,
  JSONExtractString(attribution, 'network') AS network,
  JSONExtractString(attribution, 'network_campaign_id') AS network_campaign_id,
  max(JSONExtractString(attribution, 'network_campaign_name')) AS name
FROM adtrail.attribution_batches
WHERE run_id = {run_id:UInt64} AND attribution != '' AND JSONExtractUInt(attribution, 'campaign_id') = 0
GROUP BY ALL
