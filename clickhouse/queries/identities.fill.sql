-- A row for each install and identifier that events stored from {from} on and before {to} name; the chunk {chunk}
-- of {chunks}. Answered by the projection by_arrival.
INSERT INTO adtrail.identities (project_id, kind, value, install_id)
SELECT DISTINCT project_id, identifier.1, identifier.2, install_id
FROM adtrail.app_events
ARRAY JOIN arrayFilter(one -> one.2 != '', [('gaid', ifNull(toString(gaid), '')), ('idfa', ifNull(toString(idfa), '')), ('user', user_id)]) AS identifier
WHERE stored_at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC') AND stored_at < fromUnixTimestamp64Milli({to:Int64}, 'UTC')
  AND cityHash64(install_id) % {chunks:UInt32} = {chunk:UInt32}
