-- One row per ID that stands on several days of receipt, among what was stored since {since} (milliseconds) after the
-- day of its receipt: its process held it over midnight while another one stored a repeat. An insert carries the time
-- at which it began, so the last minute before a midnight belongs to the next day too. The IDs of chunk {chunk} of
-- {chunks}, by hash, are looked up in the projection by_id.
WITH late AS (
  SELECT {id_column:Identifier}
  FROM adtrail.{table:Identifier}
  WHERE stored_at >= fromUnixTimestamp64Milli({since:Int64}, 'UTC')
    AND bucket < toDate(stored_at + INTERVAL 1 MINUTE)
    AND bucket < toDate(now('UTC'))
    AND cityHash64({id_column:Identifier}) % {chunks:UInt32} = {chunk:UInt32}
)
SELECT {id_column:Identifier} AS id
FROM adtrail.{table:Identifier}
WHERE {id_column:Identifier} IN (SELECT * FROM late)
GROUP BY id
HAVING min(bucket) < max(bucket)
SETTINGS ignore_data_skipping_indices = 'by_touch_id'
