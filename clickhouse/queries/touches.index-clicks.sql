-- Writes one row per click stored from {from} on and before {to} (milliseconds) and identifier that it can be matched
-- by: chunk {chunk} of {chunks}, by hash. Run twice it changes nothing.
INSERT INTO adtrail.touches_by_identifier (project_id, identifier, touch_type, touch_time, touch_id)
SELECT project_id, bitShiftRight(sipHash64(project_id, match, key), 16), 'click', click_time, click_id
FROM adtrail.clicks
ARRAY JOIN
  ['gaid', 'idfa', 'ip'] AS match,
  [ifNull(toString(gaid), ''), ifNull(toString(idfa), ''), if(ip_hash != '', ip_hash, ip)] AS key
WHERE key != ''
  AND stored_at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')
  AND stored_at < fromUnixTimestamp64Milli({to:Int64}, 'UTC')
  AND is_deleted = 0 AND cityHash64(click_id) % {chunks:UInt32} = {chunk:UInt32}
