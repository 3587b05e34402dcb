-- Writes one row per impression stored from {from} on and before {to} (milliseconds), with what a decision
-- needs of it, in the order that attribution.match.sql names: chunk {chunk} of {chunks}, by hash. Run twice it changes
-- nothing.
INSERT INTO adtrail.touches_by_id (project_id, touch_id, received_at, version, touch)
SELECT
  project_id, impression_id, received_at, version,
  toString((
    project_id, 'impression', toUnixTimestamp64Milli(impression_time), toUnixTimestamp64Milli(received_at),
    campaign_id, partner_id, '', app_id, '', ifNull(toString(gaid), ''), ifNull(toString(idfa), ''),
    '', vt_lookback,
    '', '', '', '', '', ''
  ))
FROM adtrail.impressions
WHERE stored_at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')
  AND stored_at < fromUnixTimestamp64Milli({to:Int64}, 'UTC')
  AND is_deleted = 0 AND cityHash64(impression_id) % {chunks:UInt32} = {chunk:UInt32}
