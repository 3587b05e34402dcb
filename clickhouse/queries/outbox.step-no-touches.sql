-- Of step touches: no row.
SELECT
  toUUID('00000000-0000-0000-0000-000000000000') AS touch_id, '' AS tid, '' AS s2, '' AS s3, '' AS s4,
  toUInt64(0) AS version
WHERE 0
