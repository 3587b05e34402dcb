-- Writes one row per row of {table} stored from {from} on and before {to} (milliseconds): its touch and version. Chunk
-- {chunk} of {chunks}, by hash.
INSERT INTO adtrail.touch_versions (touch_id, version)
SELECT {id_column:Identifier}, version
FROM adtrail.{table:Identifier}
WHERE stored_at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')
  AND stored_at < fromUnixTimestamp64Milli({to:Int64}, 'UTC')
  AND is_deleted = 0 AND cityHash64({id_column:Identifier}) % {chunks:UInt32} = {chunk:UInt32}
