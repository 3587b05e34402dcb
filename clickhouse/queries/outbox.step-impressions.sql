-- Of step touches: one row per delivery of a impression that run {run_id} needs. It lies where its bucket says,
-- which its ID tells.
SELECT impression_id AS touch_id, tid, s2, s3, s4, version
FROM adtrail.impressions
WHERE (bucket, impression_id) IN (
  SELECT bucket, impression_id FROM adtrail.impressions
  WHERE impression_id IN (
    SELECT assumeNotNull(touch_id) FROM adtrail.outbox_batches
    WHERE run_id = {run_id:UInt64} AND touch_type = 'impression' AND touch_id IS NOT NULL
  )
)
