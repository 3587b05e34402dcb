-- Writes one row per impression stored from {from} on and before {to} (milliseconds) and advertising ID of it: chunk
-- {chunk} of {chunks}, by hash. Its IP address is never matched on. Run twice it changes nothing.
INSERT INTO adtrail.touches_by_identifier (project_id, identifier, touch_type, touch_time, touch_id)
SELECT project_id, bitShiftRight(sipHash64(project_id, match, key), 16), 'impression', impression_time, impression_id
FROM adtrail.impressions
ARRAY JOIN ['gaid', 'idfa'] AS match, [ifNull(toString(gaid), ''), ifNull(toString(idfa), '')] AS key
WHERE key != ''
  AND stored_at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')
  AND stored_at < fromUnixTimestamp64Milli({to:Int64}, 'UTC')
  AND is_deleted = 0 AND cityHash64(impression_id) % {chunks:UInt32} = {chunk:UInt32}
