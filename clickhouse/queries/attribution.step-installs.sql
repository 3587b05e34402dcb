-- Step installs. One row per install of run {run_id}, with the attribution that the install event itself gives, if any.
-- Table: adtrail.attribution_batches.
SELECT
  project_id, install_id, event_id, install_time, received_at, app_id, platform, gaid, idfa, ip, ua,
  referrer_click_time, install_begin_time, attribution, attribution != '' AS is_given,
  JSONExtractUInt(attribution, 'campaign_id') AS given_campaign_id,
  JSONExtractString(attribution, 'network') AS network,
  JSONExtractString(attribution, 'network_campaign_id') AS network_campaign_id
FROM adtrail.attribution_batches
WHERE run_id = {run_id:UInt64}
