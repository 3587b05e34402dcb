-- Step ranked. The candidates of each install in order: the first eligible one wins. Steps: candidates,
-- impressions_credited.
SELECT
  candidate.project_id AS project_id, candidate.install_id AS install_id, touch_type,
  candidate.touch_id AS touch_id, touch_time, received_at, campaign_id, partner_id, rule, window_seconds, place,
  if(reason = '' AND credited.install_id != ''
    AND (credited.install_received_at, credited.install_id)
      < (candidate.install_received_at, candidate.install_id), 'already_used', reason) AS reason
FROM candidates AS candidate
LEFT ANY JOIN impressions_credited AS credited
  ON candidate.project_id = credited.project_id AND candidate.touch_id = credited.touch_id
