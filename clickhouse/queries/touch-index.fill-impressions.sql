-- A row for each impression stored from {from} on and before {to} and each advertising ID of it; the chunk {chunk} of
-- {chunks}. Its IP address is never matched on.
INSERT INTO adtrail.touch_keys (project_id, match, key, touch_type, touch_id, touch_time, received_at, campaign_id, partner_id, app_id, has_gaid, has_idfa, vt_lookback, version)
SELECT
  project_id, identifier.1, identifier.2, 'impression', impression_id, impression_time, received_at, campaign_id, partner_id, app_id, isNotNull(gaid), isNotNull(idfa), vt_lookback, version
FROM adtrail.impressions
ARRAY JOIN arrayFilter(one -> one.2 != '', [('gaid', ifNull(toString(gaid), '')), ('idfa', ifNull(toString(idfa), ''))]) AS identifier
WHERE stored_at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC') AND stored_at < fromUnixTimestamp64Milli({to:Int64}, 'UTC')
  AND is_deleted = 0 AND cityHash64(impression_id) % {chunks:UInt32} = {chunk:UInt32}
