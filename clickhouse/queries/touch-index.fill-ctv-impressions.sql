-- Writes one row per connected-TV impression stored from {from} on and before {to} (milliseconds), which is matched
-- by its IP address alone: chunk {chunk} of {chunks}, by hash. Run twice it changes nothing.
INSERT INTO adtrail.touch_keys (
  project_id, match, key, touch_type, touch_id, touch_time, received_at, campaign_id, partner_id, app_id, vt_lookback,
  version
)
SELECT
  project_id, 'ip', if(ip_hash != '', ip_hash, ip), 'ctv_impression', impression_id, impression_time, received_at,
  campaign_id, partner_id, app_id, vt_lookback, version
FROM adtrail.ctv_impressions
WHERE ip != ''
  AND stored_at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')
  AND stored_at < fromUnixTimestamp64Milli({to:Int64}, 'UTC')
  AND is_deleted = 0 AND cityHash64(impression_id) % {chunks:UInt32} = {chunk:UInt32}
