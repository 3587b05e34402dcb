-- Step named where no install of the run has a candidate: no row.
SELECT
  toUInt32(0) AS project_id, toUUIDOrZero('') AS touch_id, '' AS ad_set_id, '' AS ad_set_name, '' AS ad_id,
  '' AS ad_name, '' AS keyword_id, '' AS keyword_name
WHERE 0
