-- One row: how many installs run {run_id} has taken up, when the last of them was received (milliseconds), and which
-- campaigns of ad networks they name in their attribution, each with its project, network, ID at the network, and name,
-- the latest received.
SELECT
  sum(of_campaign) AS installs,
  toUnixTimestamp64Milli(max(last_received)) AS last_received,
  groupArrayIf((project_id, network, network_campaign_id, name), network != '') AS named
FROM (
  SELECT
    project_id,
    if(JSONExtractUInt(attribution, 'campaign_id') = 0, JSONExtractString(attribution, 'network'), '') AS network,
    if(network != '', JSONExtractString(attribution, 'network_campaign_id'), '') AS network_campaign_id,
    argMaxIf(
      JSONExtractString(attribution, 'network_campaign_name'), received_at,
      JSONExtractString(attribution, 'network_campaign_name') != '') AS name,
    count() AS of_campaign,
    max(received_at) AS last_received
  FROM adtrail.attribution_batches
  WHERE run_id = {run_id:UInt64}
  GROUP BY project_id, network, network_campaign_id
)
