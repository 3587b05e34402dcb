-- One row: how many installs run {run_id} has taken up, and which campaigns of ad networks they name in their
-- attribution, each with its project, network, ID at the network and name.
SELECT
  sum(of_campaign) AS installs,
  groupArrayIf((project_id, network, network_campaign_id, name), network != '') AS named
FROM (
  SELECT
    project_id,
    if(JSONExtractUInt(attribution, 'campaign_id') = 0, JSONExtractString(attribution, 'network'), '') AS network,
    if(network != '', JSONExtractString(attribution, 'network_campaign_id'), '') AS network_campaign_id,
    max(JSONExtractString(attribution, 'network_campaign_name')) AS name,
    count() AS of_campaign
  FROM adtrail.attribution_batches
  WHERE run_id = {run_id:UInt64}
  GROUP BY project_id, network, network_campaign_id
)
