-- A row for each row of {table} stored from {from} on and before {to}: its touch and version; the chunk {chunk} of {chunks}.
INSERT INTO adtrail.touch_versions (touch_id, version)
SELECT {id_column:Identifier}, version
FROM adtrail.{table:Identifier}
WHERE stored_at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC') AND stored_at < fromUnixTimestamp64Milli({to:Int64}, 'UTC')
  AND is_deleted = 0 AND cityHash64({id_column:Identifier}) % {chunks:UInt32} = {chunk:UInt32}
