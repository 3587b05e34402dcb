-- One row: what run {run_id} settles. Table: adtrail.outbox_batches.
SELECT
  count() AS events,
  countIf(touch_type = 'click') AS clicks,
  countIf(touch_type = 'impression') AS impressions,
  countIf(touch_type = 'ctv_impression') AS ctv_impressions,
  countIf(type = 'open' AND link_campaign_id != 0 AND time >= install_time + INTERVAL 24 HOUR) AS link_opens
FROM adtrail.outbox_batches
WHERE run_id = {run_id:UInt64}
