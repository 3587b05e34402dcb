-- Writes one row per install and identifier that events stored from {from} on and before {to} (milliseconds) name:
-- chunk {chunk} of {chunks}, by hash. Answered by the projection by_arrival. Run twice it changes nothing.
INSERT INTO adtrail.identities (project_id, kind, value, install_id)
SELECT DISTINCT project_id, kind, value, install_id
FROM adtrail.app_events
ARRAY JOIN
  ['gaid', 'idfa', 'user'] AS kind,
  [ifNull(toString(gaid), ''), ifNull(toString(idfa), ''), user_id] AS value
WHERE value != ''
  AND stored_at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')
  AND stored_at < fromUnixTimestamp64Milli({to:Int64}, 'UTC')
  AND cityHash64(install_id) % {chunks:UInt32} = {chunk:UInt32}
