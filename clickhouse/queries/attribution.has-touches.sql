-- One row: whether any touch may share an identifier with an install of run {run_id}, by its hash, or be named by its
-- referrer. Where none does there is nothing to match.
SELECT count() > 0 AS found
FROM (
  (
    SELECT 1
    FROM adtrail.touches_by_identifier
    PREWHERE identifier IN (
      SELECT bitShiftRight(sipHash64(project_id, match, key), 16)
      FROM adtrail.attribution_batches
      ARRAY JOIN
        ['gaid', 'idfa', 'ip'] AS match,
        [ifNull(toString(gaid), ''), ifNull(toString(idfa), ''), if(ip_hash != '', ip_hash, ip)] AS key
      WHERE run_id = {run_id:UInt64} AND key != ''
    )
    LIMIT 1
  )
  UNION ALL
  (
    SELECT 1
    FROM adtrail.attribution_batches
    WHERE run_id = {run_id:UInt64} AND isNotNull(referrer_click_id)
    LIMIT 1
  )
)
