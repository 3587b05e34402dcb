-- name: fill
-- Writes one row per install and identifier that events stored from {from} on and before {to} (milliseconds) name:
-- chunk {chunk} of {chunks}, by hash. Answered by the projection by_arrival. Run twice it changes nothing.
INSERT INTO adtrail.installs_by_identifier (project_id, identifier, kind, value, install_id)
SELECT DISTINCT
  project_id,
  bitShiftRight(sipHash64(project_id, if(identifier_kind = 'user', 'user', 'device'), identifier_value), 16),
  identifier_kind, identifier_value, install_id
FROM adtrail.app_events
ARRAY JOIN
  ['gaid', 'idfa', 'user'] AS identifier_kind,
  [ifNull(toString(gaid), ''), ifNull(toString(idfa), ''), user_id] AS identifier_value
WHERE identifier_value != ''
  AND stored_at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')
  AND stored_at < fromUnixTimestamp64Milli({to:Int64}, 'UTC')
  AND cityHash64(install_id) % {chunks:UInt32} = {chunk:UInt32};
