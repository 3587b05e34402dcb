-- Writes one row per connected-TV impression stored from {from} on and before {to} (milliseconds), which is matched by
-- its IP address alone: chunk {chunk} of {chunks}, by hash. Run twice it changes nothing.
INSERT INTO adtrail.touches_by_identifier (project_id, identifier, touch_type, touch_time, touch_id)
SELECT
  project_id, bitShiftRight(sipHash64(project_id, 'ip', if(ip_hash != '', ip_hash, ip)), 16), 'ctv_impression',
  impression_time, impression_id
FROM adtrail.ctv_impressions
WHERE ip != ''
  AND stored_at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')
  AND stored_at < fromUnixTimestamp64Milli({to:Int64}, 'UTC')
  AND is_deleted = 0 AND cityHash64(impression_id) % {chunks:UInt32} = {chunk:UInt32}
