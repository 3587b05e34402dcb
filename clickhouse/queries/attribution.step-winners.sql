-- Step winners. One row per install that has candidates. Step: ranked.
SELECT
  project_id, install_id,
  countIf(reason = '') > 0 AS has_winner,
  argMinIf((rule, campaign_id, partner_id, touch_type, touch_id, touch_time, window_seconds), place, reason = '')
    AS winner,
  arraySort(candidate -> candidate.place, groupArrayIf(
    (place, rule, touch_type, touch_id, touch_time, received_at, campaign_id, window_seconds, reason),
    place <= 100
  )) AS candidates
FROM ranked
GROUP BY project_id, install_id
