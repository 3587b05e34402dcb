-- Of step touches: one row per delivery of a click that run {run_id} needs. It lies where its bucket says, which its ID
-- tells.
SELECT click_id AS touch_id, tid, s2, s3, s4, version
FROM adtrail.clicks
WHERE (bucket, click_id) IN (
  SELECT bucket, click_id FROM adtrail.clicks
  WHERE click_id IN (
    SELECT assumeNotNull(touch_id) FROM adtrail.outbox_batches
    WHERE run_id = {run_id:UInt64} AND touch_type = 'click' AND touch_id IS NOT NULL
  )
)
