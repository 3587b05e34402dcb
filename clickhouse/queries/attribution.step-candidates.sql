-- Step candidates. One row per candidate of an install of run {run_id}, with its place among those of the install.
SELECT
  project_id, install_id, install_received_at, touch_type, touch_id, touch_time, received_at, campaign_id,
  partner_id, rule, window_seconds, reason,
  row_number() OVER (
    PARTITION BY project_id, install_id
    ORDER BY rule_order, touch_time DESC, received_at DESC, toString(touch_id) DESC
  ) AS place
FROM adtrail.attribution_candidates
WHERE run_id = {run_id:UInt64}
