-- Writes one row per impression stored from {from} on and before {to} (milliseconds) and advertising ID of it: chunk
-- {chunk} of {chunks}, by hash. Its IP address is never matched on. Run twice it changes nothing.
INSERT INTO adtrail.touch_keys (
  project_id, match, key, touch_type, touch_id, touch_time, received_at, campaign_id, partner_id, app_id,
  has_gaid, has_idfa, vt_lookback, version
)
SELECT
  project_id, match, key, 'impression', impression_id, impression_time, received_at, campaign_id, partner_id, app_id,
  isNotNull(gaid), isNotNull(idfa), vt_lookback, version
FROM adtrail.impressions
ARRAY JOIN ['gaid', 'idfa'] AS match, [ifNull(toString(gaid), ''), ifNull(toString(idfa), '')] AS key
WHERE key != ''
  AND stored_at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')
  AND stored_at < fromUnixTimestamp64Milli({to:Int64}, 'UTC')
  AND is_deleted = 0 AND cityHash64(impression_id) % {chunks:UInt32} = {chunk:UInt32}
